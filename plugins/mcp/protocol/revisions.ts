/** A revision of the protocol: its differences to the others, for which code asks in place of a date. */
export interface Revision {
  readonly version: string;
  /** A client opens a session with `initialize`. Without sessions each request describes its client (MCP, Base Protocol). */
  readonly hasSessions: boolean;
  /** Several messages can be sent as one list (MCP 2025-03-26, Base Protocol, Batching). */
  readonly hasBatches: boolean;
  /** Streams begin with an event without data, from which a client can resume (MCP 2025-11-25, Streamable HTTP). */
  readonly hasPriming: boolean;
  /** A call can become a task, whose result the client fetches later (SEP-2663). */
  readonly hasTasks: boolean;
  /** A request is answered with questions, and sent again with the answers (MCP 2026-07-28, Multi Round-Trip Requests). */
  readonly hasInputRounds: boolean;
  /** Requests to open an address have an id, and the client is notified when the work there is done (MCP 2025-11-25, Elicitation, URL Mode). */
  readonly hasElicitationIds: boolean;
  /** Results say how long they may be cached. */
  readonly hasCaching: boolean;
  /** Error code for an unknown resource (MCP, Resources, Error Handling). */
  readonly unknownResourceCode: number;
}

const withSessions = {
  hasSessions: true,
  hasBatches: false,
  hasPriming: false,
  hasTasks: false,
  hasInputRounds: false,
  hasElicitationIds: true,
  hasCaching: false,
  unknownResourceCode: -32002,
} as const;

/** Revisions that are served, newest first. */
const all: readonly Revision[] = [
  {
    version: '2026-07-28',
    hasSessions: false,
    hasBatches: false,
    hasPriming: false,
    hasTasks: true,
    hasInputRounds: true,
    hasElicitationIds: false,
    hasCaching: true,
    unknownResourceCode: -32602,
  },
  { ...withSessions, version: '2025-11-25', hasPriming: true },
  { ...withSessions, version: '2025-06-18' },
  { ...withSessions, version: '2025-03-26', hasBatches: true },
  { ...withSessions, version: '2024-11-05' },
  { ...withSessions, version: '2024-10-07' },
];

/** Revisions by version, newest first. */
export const revisions: ReadonlyMap<string, Revision> = new Map(all.map((revision) => [revision.version, revision]));

const versionsOf = (isKind: (revision: Revision) => boolean): readonly string[] => all.filter(isKind).map(({ version }) => version);

/** Versions of the revisions with sessions, newest first. */
export const sessionVersions = versionsOf(({ hasSessions }) => hasSessions);

/** Versions of the revisions without sessions, newest first. */
export const requestVersions = versionsOf(({ hasSessions }) => !hasSessions);

/** Returns the revision of a session: the requested one if it has sessions, else the newest that has. */
export function negotiateRevision(requestedVersion: unknown): Revision {
  const requested = sessionVersions.find((version) => version === requestedVersion);
  return revisions.get(requested ?? (sessionVersions[0] as string)) as Revision;
}
