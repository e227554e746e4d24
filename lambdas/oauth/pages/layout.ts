import { html, raw } from 'hono/html';
import { style } from './style.ts';

/** A piece of HTML made by `html`, whatever is interpolated into it escaped. */
export type Markup = ReturnType<typeof html>;

/** The whole page around a main part. */
export function layout(options: {
  readonly language: string;
  readonly title: string;
  /** Whose page it is: the plan's name. */
  readonly owner: string;
  readonly main: Markup;
}): string {
  const { language, title, owner, main } = options;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${owner}</title>
<style>${raw(style)}</style>
</head>
<body>
<header>${owner}</header>
<main>
${main}
</main>
</body>
</html>
`;
  if (page instanceof Promise) throw new TypeError('a page has nothing to wait for');
  return page.toString();
}
