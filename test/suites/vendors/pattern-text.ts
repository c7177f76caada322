/**
 * A text that fits a simple pattern: literals, `\d`, character classes, alternatives in parentheses, and counts. `turn` chooses among
 * characters and alternatives, so that two turns give two texts.
 */
export function patternText(pattern: string, turn: number): string {
  const source = pattern.replace(/^\^|\$$/g, '');
  let text = '';
  let position = 0;
  let step = turn;
  while (position < source.length) {
    const [whole, group, set, escaped, literal, count] =
      /^(?:\(([^()]*)\)|\[([^\]]*)\]|\\(.)|([^\\]))(?:\{(\d+)(?:,\d*)?\}|[*+?])?/.exec(source.slice(position)) ?? [];
    if (whole === undefined) throw new Error(`The generator of texts does not know the pattern ${pattern}.`);
    const choices = choicesOf(group, set, escaped, literal);
    for (let times = Number(count ?? 1); times > 0; times -= 1) text += choices[step++ % choices.length];
    position += whole.length;
  }
  return text;
}

function choicesOf(group = '', set = '', escaped = '', literal = ''): readonly string[] {
  if (group !== '') return group.replace(/^\?:/, '').split('|');
  if (escaped !== '') return escaped === 'd' ? [...'1234567890'] : [escaped];
  if (set === '') return [literal];
  return [...set.replace(/(.)-(.)/g, (_, from: string, to: string) => range(from, to))];
}

function range(from: string, to: string): string {
  const start = from.charCodeAt(0);
  return String.fromCharCode(...Array.from({ length: to.charCodeAt(0) - start + 1 }, (_, index) => start + index));
}
