import type { AccountRow } from '../../wire/state.ts';
import type { Tone } from '../formats/tone.ts';

/** The state of an account for a person. */
export interface AccountWords {
  readonly word: string;
  readonly tone: Tone;
  /** One more fact, such as the time until its access is renewed. @default none */
  readonly note?: string;
}

/** Returns the state in the words of a person: an access token that is renewed by itself is nobody's concern. */
export function accountWords({ state, login }: Pick<AccountRow, 'state' | 'login'>): AccountWords {
  if (login !== undefined) return { word: 'log in again', tone: 'warn' };
  if (state === 'expired') return { word: 'expired', tone: 'warn', note: 'Log in again' };
  if (state === 'no end told') return { word: 'ready', tone: 'ok' };
  if (state === 'refreshed on use') return { word: 'ready', tone: 'ok', note: 'Its access is renewed by the next call' };
  return state.endsWith(' left') ? { word: 'ready', tone: 'ok', note: `Its access has ${state}` } : { word: state, tone: 'neutral' };
}
