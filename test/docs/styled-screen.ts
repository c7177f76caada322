import { type IBufferCell, Terminal } from '@xterm/headless';

/** Characters of one line that look alike. */
export interface StyledText {
  readonly text: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
  /** Number of the colour in the palette of terminals; undefined for the usual one. */
  readonly color?: number;
}

/** Renders an output on a terminal of that width: its lines, without empty ones at the end. */
export async function styledScreen(output: string, columns: number): Promise<readonly (readonly StyledText[])[]> {
  const rows = 200;
  const emulator = new Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
  await new Promise<void>((resolve) => emulator.write(output, resolve));
  const lines = Array.from({ length: rows }, (_none, row) => styledLine(emulator, row));
  emulator.dispose();
  return lines.slice(0, lines.findLastIndex((line) => line.length > 0) + 1);
}

function styledLine({ buffer, cols }: Terminal, row: number): readonly StyledText[] {
  const line = buffer.active.getLine(row);
  const width = line?.translateToString(true).length ?? 0;
  const cells = Array.from({ length: Math.min(cols, width) }, (_none, column) => line?.getCell(column)).filter(
    (cell) => cell !== undefined,
  );
  const runs: StyledText[] = [];
  for (const cell of cells.map(styleOf)) {
    const last = runs.at(-1);
    const isSame = last !== undefined && last.isBold === cell.isBold && last.isDim === cell.isDim && last.color === cell.color;
    if (isSame) runs[runs.length - 1] = { ...last, text: last.text + cell.text };
    else runs.push(cell);
  }
  return runs;
}

function styleOf(cell: IBufferCell): StyledText {
  return {
    text: cell.getChars() || ' ',
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    ...(cell.isFgPalette() ? { color: cell.getFgColor() } : {}),
  };
}
