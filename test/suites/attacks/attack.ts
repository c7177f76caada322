import type { AttackServer, Mode, Transport } from './attack-server.ts';

export type { Mode, Transport };

/** One attack that succeeded on fb0a35f1, or would have by the same fault. */
export interface Attack {
  /** Its number in the list of reported attacks, such as `A17`. */
  readonly id?: string;
  /** The tool, library or mechanism that is attacked; each once in a kind. */
  readonly subject: string;
  /** The sentence of the test, such as `sends the operator's token to a host that the model names`. */
  readonly attempt: string;
  /** The outcome on fb0a35f1, such as `SIGABRT at the second call` or `held`. */
  readonly before: string;
  /** @default all three */
  readonly modes?: readonly Mode[];
  /** @default both */
  readonly transports?: readonly Transport[];
  /** Makes the attack, and expects that it fails. */
  run(server: AttackServer): Promise<void>;
}

/** Attacks by one kind of fault. */
export interface AttackKind {
  /** The rule that holds now, as the title of its tests. */
  readonly rule: string;
  /** Files of the project that all servers have (path to text), in a folder of the kind's own, such as `my-tools/names/`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Values of the servers' environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly attacks: readonly Attack[];
}
