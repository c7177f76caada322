import { spawn } from '@lydell/node-pty';
import { Terminal } from '@xterm/headless';
import { program } from '../e2e/program.ts';
import { afterEach } from './after-each.ts';

export interface TerminalOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** @default 80 */
  readonly columns?: number;
  /** @default 40 */
  readonly rows?: number;
}

/** A program in a terminal, as a person sees it. */
export interface OpenTerminal {
  /** The lines on the screen, and those that have gone off at its top, without styles and without blanks at the ends. */
  screen(): string;
  /** Everything that was printed, with its escape sequences. */
  raw(): string;
  /** Resolves with the screen once it holds this; rejects when the program ends before. */
  shows(text: string | RegExp): Promise<string>;
  /** Keys as a terminal sends them: `\r` is Enter, `\x03` Ctrl-C, `\x1b[B` the arrow down. */
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Closes the terminal, as a person closes its window. */
  hangUp(): void;
  /** Resolves with the exit code once the program has ended and the screen is complete. */
  readonly ended: Promise<number>;
}

const open = new Set<() => void>();

/** The number of the escape sequence (OSC) that says in a terminal that the program has ended. */
const endSequence = 7777;

/**
 * Runs a program, says with which exit code it ended, and keeps the terminal open: of what waits in a terminal when its last process leaves,
 * a reader that is late gets no more than 4095 bytes. The trap keeps the shell alive on Ctrl-C, and is none of the program's.
 */
const shell = `trap : INT; "$0" "$@"; printf '\\033]${endSequence};%d\\007' "$?"; while read -r line; do :; done`;

afterEach(() => {
  for (const close of open) close();
  open.clear();
});

/** Runs the built `toolkit` with these arguments in a terminal of its own; killed after the test. */
export function terminal(args: readonly string[], { cwd, env = {}, columns = 80, rows = 40 }: TerminalOptions): OpenTerminal {
  const emulator = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  const child = spawn('/bin/sh', ['-c', shell, process.execPath, '--', program, ...args], {
    cols: columns,
    rows,
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
  });
  let raw = '';
  let hasEnded = false;
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const check of waiting) check();
  };
  const screen = (): string => {
    const { buffer } = emulator;
    const lines = Array.from({ length: buffer.active.length }, (_none, row) => buffer.active.getLine(row)?.translateToString(true) ?? '');
    return lines.join('\n').trimEnd();
  };
  child.onData((data) => {
    raw += data;
    emulator.write(data, look);
  });
  // What the program asks of its terminal, such as where the cursor is, is answered.
  emulator.onData((answer) => child.write(answer));
  // The emulator comes to the end after everything that was printed before it, and looks once more then.
  const ended = new Promise<number>((resolve) =>
    emulator.parser.registerOscHandler(endSequence, (code) => {
      hasEnded = true;
      resolve(Number(code));
      return true;
    }),
  );
  open.add(() => {
    try {
      // The shell, which leads the group, and what it has started.
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // They have ended.
    }
    emulator.dispose();
  });
  const shows = (wanted: string | RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const text = screen();
        const isThere = typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
        if (!isThere && !hasEnded) return;
        waiting.delete(check);
        if (isThere) resolve(text);
        else reject(new Error(`ended before it showed ${wanted}:\n${text}`));
      };
      waiting.add(check);
      check();
    });
  return {
    screen,
    raw: () => raw,
    shows,
    type: (keys) => child.write(keys),
    // It is not part of what the types say.
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    resize(width, height) {
      child.resize(width, height);
      emulator.resize(width, height);
    },
    ended,
  };
}
