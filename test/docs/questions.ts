/** A question of a user, and the way from the README to its answer. */
export interface Question {
  /** Goes on after "how do I". */
  readonly question: string;
  /** The link in the README, as it is written there; without an anchor where it leads to the whole page. */
  readonly link: string;
  /** The section with the answer. */
  readonly file: string;
  readonly anchor: string;
  /** The section has each of these. */
  readonly words: readonly string[];
}

export const questions: readonly Question[] = [
  {
    question: 'change the approval question',
    link: 'plugins/toolkit/EMBEDDING.md#how-do-i-change-the-approval-question',
    file: 'plugins/toolkit/EMBEDDING.md',
    anchor: 'how-do-i-change-the-approval-question',
    words: ['onApproval', 'destination', 'true', 'undefined'],
  },
  {
    question: 'add a resolver',
    link: 'plugins/README.md#resolvesecrets',
    file: 'plugins/README.md',
    anchor: 'resolvesecrets',
    words: ['hooks.resolveSecrets', 'sink.missing', 'sink.provide(', 'SECRET_STORE_UNAVAILABLE'],
  },
  {
    question: 'serve two tenants',
    link: 'plugins/mcp/README.md#several-tenants',
    file: 'plugins/mcp/README.md',
    anchor: 'several-tenants',
    words: ['tokens:', 'credentials', 'acme', 'globex', 'credentialsOf'],
  },
  {
    question: 'give a tool a time limit',
    link: 'plugins/toolkit/TOOLS.md#time-limits',
    file: 'plugins/toolkit/TOOLS.md',
    anchor: 'time-limits',
    words: ['timeout_ms: 5000', 'TIMEOUT', 'milliseconds'],
  },
  {
    question: 'see why a call was refused',
    link: 'plugins/toolkit/OPERATING.md#see-why-a-call-was-refused',
    file: 'plugins/toolkit/OPERATING.md',
    anchor: 'see-why-a-call-was-refused',
    words: ['toolkit explain', 'POLICY_DENIED'],
  },
  {
    question: 'write a policy',
    link: 'plugins/toolkit/OPERATING.md#policy',
    file: 'plugins/toolkit/OPERATING.md',
    anchor: 'policy',
    words: ['policy.yaml', 'match', 'effect', 'deny', 'allow'],
  },
  {
    question: 'load a plugin from a file',
    link: 'plugins/README.md#load-a-plugin-from-a-file',
    file: 'plugins/README.md',
    anchor: 'load-a-plugin-from-a-file',
    words: ['toolkit.config.yaml', './office-hours/index.js', 'toolkit plugins'],
  },
  {
    question: 'mask my own token',
    link: 'plugins/toolkit/SECRETS.md#mask-a-token-of-your-own',
    file: 'plugins/toolkit/SECRETS.md',
    anchor: 'mask-a-token-of-your-own',
    words: ['maskAlso', 'context.maskAlso'],
  },
  {
    question: 'run two processes',
    link: 'plugins/toolkit/SEVERAL-PROCESSES.md#what-they-need-in-common',
    file: 'plugins/toolkit/SEVERAL-PROCESSES.md',
    anchor: 'what-they-need-in-common',
    words: ['storePostgres', 'TOOLKIT_KEY', 'proxy'],
  },
  {
    question: 'add a client',
    link: 'plugins/mcp/commands/setup/README.md',
    file: 'plugins/mcp/commands/setup/README.md',
    anchor: 'by-hand',
    words: ['"mcpServers"', 'TOOLKIT_CWD', 'Bearer <TOKEN>'],
  },
];
