import type { Defence } from './defence.ts';

const page = 'plugins/console/page';

/** Returns the change by which the page reads a text as markup. */
function asMarkup(name: string, file: string, before: string, after: string): Defence {
  return { name, file: `${page}/${file}`, replace: [before, after] };
}

const markup = (text: string): string => `dangerouslySetInnerHTML=\${{ __html: ${text} }}`;

export const blockText = asMarkup(
  'long values as text',
  'components/code-block.ts',
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the source of a template.
  'aria-label=${label}>${shownLines(text)}</pre>',
  `aria-label=\${label} ${markup('shownLines(text)')}></pre>`,
);

export const lineText = asMarkup(
  'short values as text',
  'pages/approval/parameters.ts',
  'html`<span class="mono">${shownLine(json)}</span>`',
  `html\`<span class="mono" ${markup('shownLine(json)')}></span>\``,
);

export const reasonText = asMarkup(
  'reasons of decisions as text',
  'pages/approval/decisions.ts',
  '“${shownLine(reason)}”',
  `“<span ${markup('shownLine(reason)')}></span>”`,
);

export const failureText = asMarkup(
  'messages of failures as text',
  'components/failure.ts',
  '<p>${error.message}</p>',
  `<p ${markup('error.message')}></p>`,
);

export const differenceText = asMarkup(
  'differences as text',
  'components/difference.ts',
  '<span class="text">${shownLine(text)}</span>',
  `<span class="text" ${markup('shownLine(text)')}></span>`,
);

export const problemText = asMarkup(
  'messages of problems as text',
  'pages/problems.ts',
  '<p>${shownLines(message)}</p>',
  `<p ${markup('shownLines(message)')}></p>`,
);
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the source of a template.

const formats = `${page}/formats/shown-text.ts`;

export const lineMarks: Defence = {
  name: 'marks of hidden characters in a line',
  file: formats,
  replace: ['export const shownLine = terminalText;', 'export const shownLine = (text: string): string => text;'],
};

export const blockMarks: Defence = {
  name: 'marks of hidden characters in a block',
  file: formats,
  replace: ["return text.split('\\t').map(terminalLines).join('\\t');", 'return text;'],
};

export const jsonType: Defence = {
  name: 'the type of JSON',
  file: 'plugins/console/endpoints/json-answer.ts',
  replace: ["'content-type': 'application/json'", "'content-type': 'text/html'"],
};

export const failureMarks: Defence = {
  name: 'marks of hidden characters in a failure',
  file: `${page}/api.ts`,
  replace: ['super(shownLines(message));', 'super(message);'],
};

/** No text of a redirect is shown at all: the mutant shows the reason that it brings. */
export const ownReason: Defence = {
  name: 'reasons of its own on the login',
  file: 'plugins/console/access/openid-login.ts',
  replace: [
    "'This login was not begun in this browser, has ended, or was begun more than ten minutes ago. Log in once more.',",
    "request.query.get('error_description') ?? '',",
  ],
};

export const documentText: Defence = {
  name: 'values of a document as text',
  file: 'plugins/shared/text/html.ts',
  replace: ["return terminalText(value).replace(/[&<>\"'`]/g, (character) => escapes[character] ?? '');", 'return terminalText(value);'],
};
