import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Overview } from '../wire/state.ts';
import type { Api } from './api.ts';
import type { Drafts } from './drafts.ts';
import type { Live } from './live.ts';

/** Services for every page. */
export interface ConsoleContext {
  readonly api: Api;
  readonly live: Live;
  readonly overview: Overview;
  /** Texts and choices that were typed and not sent. */
  readonly drafts: Drafts;
  /** Shows a short result, and says it to screen readers. `href`: the address of the thing that it is about. */
  readonly notify: (text: string, tone?: 'ok' | 'danger', href?: string) => void;
  /** Says a text to screen readers only, such as an arrival in a list. */
  readonly announce: (text: string) => void;
}

const context = createContext<ConsoleContext | undefined>(undefined);

/** Gives the context to the pages. */
export const ConsoleProvider = context.Provider;

export function useConsole(): ConsoleContext {
  const value = useContext(context);
  if (value === undefined) throw new Error('A page was shown outside of the console. Wrap it in ConsoleProvider.');
  return value;
}
