/** A kind of message on which our schemas and those of the official SDK disagree. */
export interface Difference {
  /** Pattern of the subject, the change and its pointer: `tools/call replace /params/task`. */
  readonly where: RegExp;
  readonly stricter: 'SDK' | 'ours';
  /** Reason why our verdict is right. */
  readonly reason: string;
}

const unknownMembers: Difference = {
  where: /(add|rename) \/[^/]*$/,
  stricter: 'SDK',
  reason: 'JSON-RPC 2.0 forbids no further members of a message; the SDK drops a request that has one, and the client waits for nothing.',
};

const digits: Difference = {
  where: /huge integer \/(params|result)\//,
  stricter: 'SDK',
  reason: 'An integer beyond 2^53 is read as the text of its digits, which is right where a text is expected and loses no digit.',
};

const relatedTask: Difference = {
  where: /^(?!answer|notifications).*\/_meta.*io\.modelcontextprotocol~?1?\/?related-task/,
  stricter: 'SDK',
  reason: 'Tasks of 2025-11-25 are not served. A receiver without them ignores what a request says about them (MCP, Tasks).',
};

const inheritedName: Difference = {
  where: / \/.*\/__proto__$/,
  stricter: 'ours',
  reason: 'A member with the name __proto__ is a member like others; the SDK skips it.',
};

const taskOfCall: Difference = {
  where: /^tools\/call .*(\/params\/task| to task)/,
  stricter: 'SDK',
  reason: relatedTask.reason,
};

const unusedDescription =
  'Of a client we use its name and three capabilities. Another member that is wrong, such as an icon, is no reason to turn the client away.';

/** Differences for messages of clients with sessions, against version 1 of the SDK. */
export const sessionDifferences: readonly Difference[] = [
  unknownMembers,
  digits,
  relatedTask,
  taskOfCall,
  inheritedName,
  {
    where: /^notifications\//,
    stricter: 'SDK',
    reason: 'A notification has no response. A cancellation of no running request changes nothing, and nothing of the others is read.',
  },
  {
    where: /^answer to .*\/_meta/,
    stricter: 'SDK',
    reason: 'Metadata of an answer is not read and reaches no tool.',
  },
  {
    where: /^answer to sampling\/createMessage .*\/result\/content.*annotations/,
    stricter: 'SDK',
    reason: 'Annotations of an answer are for a user interface. A model that sends a strange one has still answered.',
  },
  {
    where: /^answer to sampling\/createMessage .*\/result\/content\/data/,
    stricter: 'SDK',
    reason: 'The bytes of a picture are decoded by the tool that asked for it, which knows the forms of Base64 that it reads.',
  },
  {
    where: /^initialize .*\/params\/(capabilities|clientInfo)\//,
    stricter: 'SDK',
    reason: unusedDescription,
  },
];

/** Differences for requests without a session, against version 2 of the SDK. */
export const sessionlessDifferences: readonly Difference[] = [
  unknownMembers,
  digits,
  relatedTask,
  taskOfCall,
  inheritedName,
  {
    where: /\/params\/_meta\/io\.modelcontextprotocol~1client(Info|Capabilities)\//,
    stricter: 'SDK',
    reason: unusedDescription,
  },
  {
    where: /\/params\/_meta\/io\.modelcontextprotocol~1protocolVersion$/,
    stricter: 'ours',
    reason: 'A version that is not served is refused, with those that are; the SDK checks it apart from the schema.',
  },
];
