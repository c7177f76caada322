import { type Terminal, ToolkitError } from '../../../kernel/index.ts';
import { terminalText } from '../text/visible-text.ts';

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  /** A few words next to the label. */
  readonly hint?: string;
}

/**
 * Prompts for the user at the terminal, on standard error. Each throws ABORTED on Ctrl-C and Escape, and without a terminal: check
 * `terminal.isInteractive` first and offer a flag in place of the prompt. Texts are shown on one line, without control characters.
 */
export interface Prompts {
  text(message: string, options?: { readonly byDefault?: string; readonly check?: (value: string) => string | undefined }): Promise<string>;
  /** Does not show the input. */
  hidden(message: string): Promise<string>;
  confirm(message: string, byDefault?: boolean): Promise<boolean>;
  /** @default the first choice */
  select<T extends string>(message: string, choices: readonly Choice<T>[], byDefault?: T): Promise<T>;
  /** Returns any number of choices, also none. @default none */
  selectMany<T extends string>(message: string, choices: readonly Choice<T>[], byDefault?: readonly T[]): Promise<readonly T[]>;
}

interface Streams {
  readonly input: Terminal['input'];
  readonly output: Terminal['error'];
  readonly signal: AbortSignal;
}

/** Creates the prompts and loads their library. `signal` cancels an open prompt, as Ctrl-C does. */
export async function prompts(terminal: Terminal, signal?: AbortSignal): Promise<Prompts> {
  const clack = await import('@clack/prompts');
  const answered = async <T>(question: (streams: Streams) => Promise<T>): Promise<Exclude<T, symbol>> => {
    if (!terminal.isInteractive) throw aborted('there is no terminal to ask at');
    // A signal for each prompt: an answered prompt would print again when its signal aborts later.
    const open = new AbortController();
    const close = (): void => open.abort();
    if (signal?.aborted === true) close();
    signal?.addEventListener('abort', close, { once: true });
    const release = keepListening(terminal.input, close);
    try {
      const answer = await question({ input: terminal.input, output: terminal.error, signal: open.signal });
      if (clack.isCancel(answer)) throw aborted('it was cancelled');
      return answer as Exclude<typeof answer, symbol>;
    } finally {
      release();
      signal?.removeEventListener('abort', close);
    }
  };
  return {
    text: async (message, { byDefault, check } = {}) => {
      const shown = byDefault === undefined ? undefined : terminalText(byDefault);
      let isTyped = false;
      const answer = await answered((streams) =>
        clack.text({
          message: terminalText(message),
          ...streams,
          ...(shown === undefined ? {} : { defaultValue: shown, placeholder: shown }),
          validate: (value) => {
            isTyped = value !== undefined && value !== '';
            const problem = check?.(isTyped ? (value ?? '') : (byDefault ?? ''));
            return problem === undefined ? undefined : terminalText(problem);
          },
        }),
      );
      return isTyped ? answer : (byDefault ?? answer);
    },
    hidden: (message) => answered((streams) => clack.password({ message: terminalText(message), ...streams })),
    confirm: (message, byDefault = true) =>
      answered((streams) => clack.confirm({ message: terminalText(message), initialValue: byDefault, ...streams })),
    select: <T extends string>(message: string, choices: readonly Choice<T>[], byDefault?: T) =>
      answered((streams) =>
        clack.select<string>({
          message: terminalText(message),
          options: choices.map(shownChoice),
          ...(byDefault === undefined ? {} : { initialValue: byDefault }),
          ...streams,
        }),
      ) as Promise<unknown> as Promise<T>,
    selectMany: <T extends string>(message: string, choices: readonly Choice<T>[], byDefault: readonly T[] = []) =>
      answered((streams) =>
        clack.multiselect<string>({
          message: terminalText(message),
          options: choices.map(shownChoice),
          initialValues: byDefault,
          required: false,
          ...streams,
        }),
      ) as Promise<unknown> as Promise<readonly T[]>,
  };
}

function shownChoice<T extends string>({ value, label, hint }: Choice<T>): Choice<T> {
  return { value, label: terminalText(label), ...(hint === undefined ? {} : { hint: terminalText(hint) }) };
}

/**
 * Keeps a prompt working when its input is paused. After Ctrl-Z and resuming, listens again, because Node pauses the input. On Ctrl-D and
 * at the end of the input, calls `onEnd`: no answer can follow. Returns a function that stops this.
 */
function keepListening(input: Terminal['input'], onEnd: () => void): () => void {
  let isOpen = true;
  let isBack = false;
  const onContinue = (): void => {
    isBack = true;
  };
  // Delayed, because an answer pauses the input too.
  const onPause = (): void =>
    void setImmediate(() => {
      if (!isOpen) return;
      if (isBack) input.resume();
      else onEnd();
      isBack = false;
    });
  process.on('SIGCONT', onContinue);
  input.on('pause', onPause).on('end', onPause);
  return () => {
    isOpen = false;
    process.off('SIGCONT', onContinue);
    input.off('pause', onPause).off('end', onPause);
  };
}

function aborted(why: string): ToolkitError {
  return new ToolkitError('ABORTED', `Nothing was done: ${why}.`);
}
