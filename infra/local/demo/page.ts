export interface DemoSection {
  readonly title: string;
  readonly text: string;
  /** Pictures beside the page, by file name. */
  readonly figures: readonly { readonly file: string; readonly caption: string }[];
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** One page with every picture of the demo; it needs nothing but the files beside it. */
export function pageOf(sections: readonly DemoSection[]): string {
  const body = sections.map(({ title, text, figures }) => {
    const pictures = figures.map(
      ({ file, caption }) =>
        `<figure><img src="${escaped(file)}" alt="${escaped(caption)}"><figcaption>${escaped(caption)}</figcaption></figure>`,
    );
    return `<section>\n<h2>${escaped(title)}</h2>\n<p>${escaped(text)}</p>\n<div class="figures">\n${pictures.join('\n')}\n</div>\n</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What the service found out</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 1680px; margin: 2rem auto; padding: 0 1rem; color: #222; }
  .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 640px), 1fr)); gap: 1.5rem; }
  figure { margin: 0; }
  img { width: 100%; height: auto; border: 1px solid #ddd; background: #fff; }
  figcaption { color: #555; font-size: 0.9rem; }
</style>
</head>
<body>
<h1>What the service found out</h1>
${body.join('\n')}
</body>
</html>
`;
}
