import { styleText } from 'node:util';
import type { Terminal } from '../../../kernel/index.ts';

const styles = {
  heading: 'bold',
  name: 'cyan',
  quiet: 'dim',
  good: 'green',
  warning: 'yellow',
  bad: 'red',
} as const;

export type Style = keyof typeof styles;

/** Puts a text in a style where standard output shows colours; elsewhere the text stays as it is. */
export function paint({ hasColors }: Pick<Terminal, 'hasColors'>, style: Style, text: string): string {
  return hasColors ? styleText(styles[style], text, { validateStream: false }) : text;
}
