import type { OpenApiDocument } from './openapi.js';

const escaped = (text: unknown): string => String(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const details = (label: string, value: unknown): string =>
  value === undefined || (Array.isArray(value) && value.length === 0)
    ? ''
    : `<details><summary>${label}</summary><pre>${escaped(JSON.stringify(value, null, 2))}</pre></details>`;

type Operation = Readonly<Record<string, unknown>>;

const section = (path: string, method: string, operation: Operation): string => `
<section>
  <h2><code>${escaped(method.toUpperCase())} ${escaped(path)}</code></h2>
  <p>${escaped(operation['summary'])}. ${escaped(operation['description'])}</p>
  ${details('Parameters', operation['parameters'])}
  ${details('Body', operation['requestBody'])}
  ${details('Answers', operation['responses'])}
</section>`;

/** The document as one page: no scripts, nothing fetched from elsewhere. */
export const docsPage = (document: OpenApiDocument): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cairn REST API</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
h2 { font-size: 1rem; margin: 2rem 0 0 } pre { overflow: auto; font-size: .85rem } summary { cursor: pointer }
</style>
</head>
<body>
<h1>Cairn REST API</h1>
<p>Send <code>Authorization: Bearer cairn_…</code>. The same as <a href="openapi.json">OpenAPI 3.1</a>.</p>
${Object.entries(document.paths ?? {})
  .flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, Operation>).map(([method, operation]) =>
      section(path, method, operation),
    ),
  )
  .join('')}
</body>
</html>
`;
