import type { Located } from '../document/resolve.ts';
import { memberOf } from './members.ts';
import { type DocumentContext, membersOf } from './read-context.ts';

/** Maximum examples of one parameter or body. */
const maxExamples = 10;

/** Returns the examples of a parameter, media type or header: `example`, values of `examples`, and `x-example` of 2.0. */
export function examplesOf(context: DocumentContext, located: Located): readonly unknown[] {
  const single = ['example', 'x-example'].map((name) => memberOf(located.value, name));
  const named = membersOf(context, context.opened.resolver.at(located, 'examples'))
    .slice(0, maxExamples)
    .map(([, example]) => {
      const target = context.opened.resolver.follow(example);
      return typeof target === 'string' ? undefined : memberOf(target.value, 'value');
    });
  return [...single, ...named].filter((example) => example !== undefined).slice(0, maxExamples);
}
