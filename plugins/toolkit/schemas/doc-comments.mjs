import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const compile = createRequire(import.meta.resolve('jiti/package.json'))('./dist/babel.cjs');

/**
 * Part of the build: an esbuild plugin that gives each TypeBox schema its doc comment (above its key, its `const`, or itself in a list) as
 * `description`. So editors show the words that are in the code.
 */
export const docComments = {
  name: 'doc-comments',
  setup({ onLoad }) {
    onLoad({ filter: /\/(kernel|plugins)\/.*\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      return { contents: text.includes("from 'typebox'") ? withDescriptions(text, file) : text, loader: 'ts' };
    });
  },
};

/** Code that is added to modules. Copies the schema, because it may be shared, including the hidden members of TypeBox. */
const helper = `
function __described(schema, description) {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), description: { value: description, enumerable: true } });
}`;

function withDescriptions(text, file) {
  const marks = [];
  const mark = (node, comments) => {
    const comment = comments?.findLast(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'));
    if (comment !== undefined && isSchema(node))
      marks.push([node.start, `__described(`], [node.end, `, ${JSON.stringify(wordsOf(comment.value))})`]);
  };
  const visitor = {
    ObjectProperty: ({ node }) => mark(node.value, node.leadingComments),
    ArrayExpression({ node }) {
      for (const element of node.elements) mark(element, element?.leadingComments);
    },
    VariableDeclaration: ({ node, parent }) => mark(node.declarations[0].init, node.leadingComments ?? parent.leadingComments),
  };
  const { error } = compile({
    source: text,
    filename: file,
    ts: true,
    babel: { plugins: [() => ({ visitor: { Program: (program) => program.traverse(visitor) } })] },
  });
  if (error !== undefined) throw error;
  // From the end, so that earlier positions stay valid; at the same position, an end comes before a start.
  const edits = marks.toSorted(([one], [other]) => other - one);
  return edits.reduce((before, [place, insert]) => before.slice(0, place) + insert + before.slice(place), text) + helper;
}

/** True for `Type.Optional(…)`, or a schema under a name. */
function isSchema(node) {
  if (node?.type === 'Identifier') return /^[A-Z]/.test(node.name);
  return node?.type === 'CallExpression' && node.callee.object?.name === 'Type';
}

/** Returns the sentences of a comment in one line, with `@default` as a sentence. */
function wordsOf(comment) {
  const words = comment
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words.replace(/\s*@default (.*)$/, ' Default: $1.').trim();
}
