import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const compile = createRequire(import.meta.resolve('jiti/package.json'))('./dist/babel.cjs');

/**
 * Part of the build: for esbuild, gives each TypeBox schema the doc comment that stands above it (above its key, its `const`, or itself in a
 * list) as its `description`. So the words that a reader of the code has are those that an editor shows.
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

/** A copy, because a schema may be shared, with what TypeBox hides in it. Code that modules get. */
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
  // From the end, so that places stay what they were; where two meet, what ends comes first.
  const edits = marks.toSorted(([one], [other]) => other - one);
  return edits.reduce((before, [place, insert]) => before.slice(0, place) + insert + before.slice(place), text) + helper;
}

/** `Type.Optional(…)`, or a schema under a name. */
function isSchema(node) {
  if (node?.type === 'Identifier') return /^[A-Z]/.test(node.name);
  return node?.type === 'CallExpression' && node.callee.object?.name === 'Type';
}

/** Of a comment its sentences in one line; `@default` as a sentence. */
function wordsOf(comment) {
  const words = comment
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words.replace(/\s*@default (.*)$/, ' Default: $1.').trim();
}
