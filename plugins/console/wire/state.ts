import type { Finding, JsonObject } from '../../../kernel/index.ts';

/** The signed-in person, and what this server has. */
export interface Overview {
  readonly name: string;
  /** Token of the session, which each POST has in `x-toolkit-csrf`. */
  readonly csrf: string;
  /** End of the session, in epoch ms. */
  readonly expiresAt: number;
  readonly version: string;
  readonly waiting: number;
  /** False where no plugin keeps approval records: the inbox says which to add. */
  readonly keepsApprovals: boolean;
  /** Number of tools that require approval, and run when a model says that a person agreed: their calls never wait. Absent without any. */
  readonly unaskedTools?: number;
  /** Time after which a record of another process is seen at the latest, in milliseconds. Absent where the store reports at once. */
  readonly pollMs?: number;
}

/** One number of `kernel.gauges`, with its rows. */
export interface ShownGauge {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  /** `gauge`: goes up and down. `counter`: a total of this process since its start. */
  readonly kind: 'gauge' | 'counter';
  /** Empty for a number that is not known now. */
  readonly rows: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
  /** The reason why it cannot be read. Absent for one that can. */
  readonly failure?: string;
}

/** Sessions, limits, circuits and queues. */
export interface StatePage {
  /** `kernel.status()`, by the name of the status: `sessions`, `queues`, `circuits`, `sources`. */
  readonly status: JsonObject;
  /** The reason why the statuses cannot be read. Absent when they can. */
  readonly failure?: string;
  readonly gauges: readonly ShownGauge[];
}

/** A connected account. Never its tokens. */
export interface AccountRow {
  readonly provider: string;
  readonly account: string;
  /** The caller, with the tenant where it is another name. */
  readonly owner: string;
  /** The state of its access token, in words. `needs login`: only a new login helps. */
  readonly state: string;
  readonly scopes: readonly string[];
  readonly connectedAt?: number;
  /** Command that logs in again. Absent while no login is needed. */
  readonly login?: string;
}

export interface AccountsPage {
  readonly accounts: readonly AccountRow[];
  /** Command or page that connects one more, as a sentence. */
  readonly how: string;
  /** The reason why they cannot be read, such as a store that does not answer. Absent when they can. */
  readonly failure?: string;
}

/** A secret by name. Never its value. */
export interface SecretRow {
  readonly name: string;
  /** The plugin that provided it. Absent while none did. */
  readonly resolver?: string;
  /** Time of its value, in epoch ms. Absent without one. */
  readonly since?: number;
  /** Names of the tools that declare it, at most ten. */
  readonly tools: readonly string[];
}

/** Problems of definitions, and the findings of `toolkit doctor` that need no thorough check. */
export interface ProblemsPage {
  readonly problems: readonly {
    readonly severity: string;
    readonly code: string;
    readonly message: string;
    readonly file?: string;
    readonly tool?: string;
  }[];
  readonly findings: readonly Finding[];
}
