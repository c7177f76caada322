import type { Cipher } from '../shared/keys/cipher.ts';

/** A turn of a call, from when it waits until it has run: what a workflow of DBOS stands for. */
export interface Turn {
  readonly place: string;
  /** Of the record of the call, as long as this is its turn. */
  readonly runAt: number;
  /** How many calls of its caller had not ended when it was submitted: who has many lets others go first. */
  readonly ahead: number;
  /** How often it was looked at, and put off. */
  readonly looks: number;
}

/** The workflow of a turn: one, however often it is put into the queue. */
export function workflowOf({ place, runAt, looks }: Omit<Turn, 'ahead'>): string {
  return `${place}.${runAt}.${looks}`;
}

/** The input of its workflow, which counts for that one only. */
export function sealedTurn(turn: Turn, cipher: Cipher): string {
  return cipher.encrypt(JSON.stringify(turn), workflowOf(turn)).toString('base64');
}

/** Undefined for an input that was not made with the key, or for another workflow. */
export function openTurn(input: unknown, workflow: string, cipher: Cipher): Turn | undefined {
  const text = typeof input === 'string' ? cipher.decrypt(Buffer.from(input, 'base64'), workflow) : undefined;
  // Own text: enciphered by this program.
  return text === undefined ? undefined : (JSON.parse(text) as Turn);
}
