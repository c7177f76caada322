/**
 * Reads YAML tolerantly. As a program it runs in a process of its own, because the library takes half a second and 60 MB of memory for a
 * megabyte of text: standard input is the text, standard output the answer of `answerTo`.
 */
const { readFileSync, writeSync } = require('node:fs');
const { parseDocument } = require('yaml');

/** Mistakes after which the library's value is the one that was meant. */
const harmless = new Set([
  'BAD_DIRECTIVE',
  'BAD_DQ_ESCAPE',
  'BAD_SCALAR_START',
  'KEY_OVER_1024_CHARS',
  'MULTIPLE_DOCS',
  'TAB_AS_INDENT',
  'TAG_RESOLVE_FAILED',
]);

/** Maximum values, each alias counted with all that it stands for. The largest public document has 1.5 million. */
const maxValues = 5_000_000;

/** Maximum levels of nesting. Public documents have at most 34. */
const maxLevels = 200;

const tooDeep = `it is nested deeper than ${maxLevels} levels`;

/** Returns `{json, notes}`, with integers beyond 2^53 as texts, or `{problem}`. */
function answerTo(text) {
  try {
    // Pairs of keys are not compared by the library: it would take quadratic time.
    const document = parseDocument(text, {
      schema: 'core',
      merge: true,
      intAsBigInt: true,
      resolveKnownTags: false,
      uniqueKeys: false,
      strict: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    const lineOf = (offset) => text.slice(0, offset).split('\n').length;
    const mistakes = [...document.errors].sort((one, other) => one.pos[0] - other.pos[0]);
    const mistake = mistakes.find(({ code }) => !harmless.has(code));
    // The library catches the error of its own recursion.
    if (mistake?.message.startsWith('Maximum call stack')) return { problem: tooDeep };
    if (mistake !== undefined) return { problem: `line ${lineOf(mistake.pos[0])}: ${mistake.message}` };
    const notes = mistakes.slice(0, 20).map(({ message, pos }) => `line ${lineOf(pos[0])}: ${message}`);
    for (const offset of repeatedKeys(document.contents).slice(0, 20))
      notes.push(`line ${lineOf(offset)}: the key is written twice; the last one counts`);
    // Aliases are counted below: the library counts uses, and refuses the hundredth.
    const value = document.toJS({ maxAliasCount: -1 });
    const excess = excessOf(value);
    return excess === undefined ? { json: JSON.stringify(value, exactly), notes } : { problem: excess };
  } catch (error) {
    return { problem: error instanceof RangeError ? tooDeep : error.message };
  }
}

/** Returns the positions of keys that a map has already. */
function repeatedKeys(contents) {
  const offsets = [];
  const nodes = [contents];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!Array.isArray(node?.items)) continue;
    const names = new Set();
    for (const item of node.items) {
      const isPair = item !== null && typeof item === 'object' && 'key' in item;
      const name = isPair ? item.key?.value : undefined;
      if (name !== undefined && name !== '<<') {
        if (names.has(String(name))) offsets.push(item.key.range?.[0] ?? 0);
        names.add(String(name));
      }
      const next = isPair ? item.value : item;
      if (next !== null && next !== undefined) nodes.push(next);
    }
  }
  return offsets.sort((one, other) => one - other);
}

/** Returns the limit that a value exceeds when its aliases are written out. Takes linear time. */
function excessOf(value) {
  const sizes = new Map();
  const sizeOf = (node, level) => {
    if (typeof node !== 'object' || node === null) return { values: 1, levels: 0 };
    const known = sizes.get(node);
    if (known === 'open') throw new Error('an alias is inside what it repeats, and would never end');
    if (level + (known?.levels ?? 0) > maxLevels) throw new Error(tooDeep);
    if (known !== undefined) return known;
    sizes.set(node, 'open');
    const size = { values: 1, levels: 1 };
    for (const member of Array.isArray(node) ? node : Object.values(node)) {
      const { values, levels } = sizeOf(member, level + 1);
      size.values += values;
      size.levels = Math.max(size.levels, levels + 1);
    }
    if (size.values > maxValues) throw new Error(`it has more than ${maxValues} values when aliases are written out`);
    sizes.set(node, size);
    return size;
  };
  try {
    sizeOf(value, 0);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

/** Converts numbers that JSON or a JavaScript number cannot hold to texts. */
function exactly(_, value) {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

module.exports = { answerTo };

if (require.main === module) {
  // Own text: written by this program, which has decoded the file
  const answer = Buffer.from(JSON.stringify(answerTo(readFileSync(0, 'utf8'))));
  for (let written = 0; written < answer.length; ) written += writeSync(1, answer, written);
}
