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

/** Styles a text when standard output supports colors; otherwise returns it unchanged. */
export function paint({ hasColors }: Pick<Terminal, 'hasColors'>, style: Style, text: string): string {
  return hasColors ? styleText(styles[style], text, { validateStream: false }) : text;
}
