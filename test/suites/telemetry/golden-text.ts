import { type SpanNode, shapeOf } from './span-tree.ts';

/** How a scenario ran: `2025-11-25 HTTP`, with its spans. */
export interface Run {
  readonly variant: string;
  readonly tree: readonly SpanNode[];
}

const wide = 100;

/**
 * Returns the block of a scenario. Where all runs have the same spans, there is one tree, in which a line that only some of them have names these; else
 * a tree for each shape.
 */
export function blockOf(name: string, runs: readonly Run[], variants: readonly string[]): string {
  const shapes = new Map<string, Run[]>();
  for (const run of runs) shapes.set(shapeOf(run.tree), [...(shapes.get(shapeOf(run.tree)) ?? []), run]);
  return [...shapes.values()]
    .map((alike) => {
      const own = alike.map(({ variant }) => variant);
      const title = shapes.size === 1 && own.length === variants.length ? name : `${name} (${shortName(own, variants)})`;
      return `# ${title}\n${textOf(
        alike.map(({ variant, tree }) => ({ variant, nodes: tree })),
        own,
      )}`;
    })
    .join('\n');
}

interface Alike {
  readonly variant: string;
  readonly nodes: readonly SpanNode[];
}

function textOf(runs: readonly Alike[], variants: readonly string[], indent = ''): string {
  return (runs[0]?.nodes ?? [])
    .map(({ title }, index) => {
      const nodes = runs.map(({ variant, nodes }) => ({ variant, node: nodes[index] as SpanNode }));
      const lines = new Map<string, string[]>();
      for (const { variant, node } of nodes) for (const line of node.lines) lines.set(line, [...(lines.get(line) ?? []), variant]);
      const shown = [...lines.keys()].sort().map((line) => {
        const own = lines.get(line) ?? [];
        const text = `${indent}    ${line}`;
        return own.length === variants.length ? text : `${text.padEnd(wide)} | ${shortName(own, variants)}`;
      });
      const within = nodes.map(({ variant, node }) => ({ variant, nodes: node.within }));
      return [`${indent}${title}`, ...shown, ''].join('\n') + textOf(within, variants, `${indent}  `);
    })
    .join('');
}

/** Returns `HTTP` for all variants over HTTP, `2025-11-25` for all of that era, else their names. */
function shortName(own: readonly string[], all: readonly string[]): string {
  const words = new Set(all.flatMap((variant) => variant.split(' ')));
  for (const word of words) {
    const named = all.filter((variant) => variant.split(' ').includes(word));
    if (named.length === own.length && named.every((variant) => own.includes(variant))) return word;
  }
  return own.join(', ');
}
