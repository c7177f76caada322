import { encodeXML } from 'entities';
import { terminal } from '../support/terminal.ts';
import { type StyledText, styledScreen } from './styled-screen.ts';

const columns = 100;
const [cellWidth, lineHeight, margin, fontSize] = [8.4, 20, 20, 14];

/** Commands in the picture: the words after `toolkit`, as a shell reads them. */
const shown: readonly (readonly string[])[] = [
  ['search', 'write to a slack channel', '--limit', '3'],
  ['run', 'text_slugify', '--text', 'Hello, World'],
  ['explain', 'slack_delete_message', '--args', '{"channel":"C024BE91L","ts":"1718035200.123456"}'],
];

/** The palette of terminals, on a dark ground. */
const colors: Readonly<Record<number, string>> = {
  1: '#ff7b72',
  2: '#7ee787',
  3: '#e3b341',
  4: '#79c0ff',
  5: '#d2a8ff',
  6: '#56d4dd',
  8: '#8b949e',
};

/** The picture of the README: what the built program shows of some commands in a folder without a configuration, as SVG. */
export async function terminalPicture(cwd: string): Promise<string> {
  const screens: (readonly StyledText[])[] = [];
  for (const words of shown) screens.push(promptLine(words), ...(await screenOf(words, cwd)), []);
  return svg(screens.slice(0, -1));
}

async function screenOf(words: readonly string[], cwd: string): Promise<readonly (readonly StyledText[])[]> {
  const { raw, ended } = terminal(words, { cwd, columns, rows: 60, env: { HOME: cwd, SLACK_BOT_TOKEN: 'xoxb-of-the-picture' } });
  await ended;
  return styledScreen(raw(), columns);
}

function promptLine(words: readonly string[]): readonly StyledText[] {
  const quoted = words.map((word) => (/^[\w-]+$/.test(word) ? word : `'${word}'`)).join(' ');
  return [
    { text: '$ ', isBold: false, isDim: false, color: 8 },
    { text: `toolkit ${quoted}`, isBold: true, isDim: false },
  ];
}

function svg(lines: readonly (readonly StyledText[])[]): string {
  const [width, height] = [Math.ceil(columns * cellWidth + 2 * margin), lines.length * lineHeight + 2 * margin];
  const texts = lines.flatMap((line, row) =>
    line.length === 0 ? [] : [`<text x="${margin}" y="${margin + (row + 0.75) * lineHeight}">${line.map(span).join('')}</text>`],
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="toolkit in a terminal">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${fontSize}" fill="#e6edf3" xml:space="preserve" style="white-space:pre">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function span({ text, isBold, isDim, color }: StyledText): string {
  const fill = colors[color ?? -1];
  const style = `${isBold ? ' font-weight="bold"' : ''}${isDim ? ' opacity="0.6"' : ''}${fill === undefined ? '' : ` fill="${fill}"`}`;
  return `<tspan${style}>${encodeXML(text)}</tspan>`;
}
