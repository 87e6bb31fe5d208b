import { readFile } from 'node:fs/promises';
import type { Answer } from '../../kit/answer/answer.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';

/** Files that the documentation page may load, with their types. */
const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
};

const START = `window.onload = () => {
  window.ui = SwaggerUIBundle({ url: new URL('openapi.json', document.baseURI).href, dom_id: '#swagger-ui' });
};
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partner field service</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** The page loads nothing from elsewhere and may not be framed; Swagger UI styles its elements in place. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The documentation page. */
export const docsPage = (): Answer => ({
  status: 200,
  content: { type: 'text/html; charset=utf-8', data: PAGE },
  headers: { 'content-security-policy': POLICY },
});

/** @throws ServiceError 404 for any file that isn't one of the page's */
export async function docsAsset(file: string): Promise<Answer> {
  const type = Object.hasOwn(assets, file) ? assets[file] : undefined;
  if (type === undefined) throw new ServiceError(commonFaults.notFound, 'The documentation page has no such file.');
  const data = file === 'start.js' ? START : await readFile(new URL(`assets/${file}`, import.meta.url));
  return { status: 200, content: { type, data } };
}
