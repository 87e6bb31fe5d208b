/** A picture beside the page, by file name. */
export interface DemoFigure {
  readonly file: string;
  readonly caption: string;
}

export interface DemoSection {
  readonly title: string;
  readonly text: string;
  readonly figures: readonly DemoFigure[];
  /** Figures side by side, where the window is wide enough; as many as fit when absent. */
  readonly columns?: number;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** One page with every picture of the demo; it needs nothing but the files beside it. */
export function pageOf(sections: readonly DemoSection[]): string {
  const body = sections.map(({ title, text, figures, columns }) => {
    const pictures = figures.map(
      ({ file, caption }) =>
        `<figure><img src="${escaped(file)}" alt="${escaped(caption)}"><figcaption>${escaped(caption)}</figcaption></figure>`,
    );
    return `<section>\n<h2>${escaped(title)}</h2>\n<p>${escaped(text)}</p>\n<div class="figures"${columns === undefined ? '' : ` style="--columns: ${columns}; --least: 0px"`}>\n${pictures.join('\n')}\n</div>\n</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What the service found out</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 1680px; margin: 2rem auto; padding: 0 1rem; color: #222; }
  .figures { display: grid; grid-template-columns: repeat(var(--columns, auto-fit), minmax(min(100%, var(--least, 640px)), 1fr)); gap: 1.5rem; }
  figure { margin: 0; }
  img { width: 100%; height: auto; max-height: 36rem; object-fit: contain; border: 1px solid #ddd; background: #fff; }
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
