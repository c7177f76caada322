/** A hand-written document. */
export interface Guide {
  /** Path relative to the folder of package.json. */
  readonly file: string;
  readonly title: string;
  readonly summary: string;
}

/** The guides in display order. */
export const guides: readonly Guide[] = [
  { file: 'README.md', title: 'Overview', summary: 'start, a first tool, from code, what comes with it, where to read on' },
  { file: 'plugins/toolkit/TOOLS.md', title: 'Writing a tool', summary: 'programs, HTTP requests, functions, time limits, skills' },
  {
    file: 'plugins/toolkit/OPENAPI.md',
    title: 'Tools of an OpenAPI document',
    summary: 'from a document to a first call, changes, credentials, hosts, updates',
  },
  { file: 'plugins/cli/README.md', title: 'Command line', summary: 'every command and flag, exit codes, schemas for editors' },
  {
    file: 'plugins/cli/commands/test/README.md',
    title: 'Testing tools',
    summary: '`toolkit test`: examples of tools against recorded exchanges',
  },
  {
    file: 'plugins/toolkit/SECRETS.md',
    title: 'Secrets',
    summary: 'where they come from, a login that obtains a token, what is masked',
  },
  {
    file: 'plugins/toolkit/FUNCTION-TOOLS.md',
    title: 'Function tools',
    summary: 'tools in JavaScript, TypeScript and Python: signature, context, threads, errors',
  },
  { file: 'plugins/toolkit/ENCODINGS.md', title: 'Encodings of a request', summary: 'JSON, forms, base64, digests, CSV, mail, your own' },
  { file: 'plugins/toolkit/OPERATING.md', title: 'Operating', summary: 'files, network, approval, policy, trail, limits, packages, logs' },
  {
    file: 'plugins/toolkit/SEVERAL-PROCESSES.md',
    title: 'From one process to many',
    summary: 'store, key, proxy, health, updates without loss, backup, what one carries',
  },
  {
    file: 'plugins/engine-local/README.md',
    title: 'Durable calls and workers',
    summary: 'calls that survive a restart, `toolkit worker`, schedules, approvals that wait',
  },
  {
    file: 'plugins/engine-bullmq/README.md',
    title: 'Durable calls on several machines',
    summary: 'the engine of durable calls on BullMQ in PostgreSQL',
  },
  { file: 'plugins/README.md', title: 'Writing a plugin', summary: 'hooks, options, definition keys, tests, publishing' },
  { file: 'plugins/toolkit/EMBEDDING.md', title: 'Embedding', summary: 'the library inside a service, a worker or a script' },
  {
    file: 'plugins/calls-once/README.md',
    title: 'Effects once',
    summary: 'calls that must not act twice: `once`, `verify`, `idempotency`, unknown',
  },
  { file: 'plugins/approvals/README.md', title: 'Approvals', summary: 'calls that wait for a person: records, who decides, webhooks' },
  {
    file: 'plugins/console/README.md',
    title: 'Console',
    summary: 'a page for operators: approvals, calls, tools, sources, problems: `console()`',
  },
  {
    file: 'plugins/telemetry/README.md',
    title: 'Traces and numbers',
    summary: 'spans by OpenTelemetry, numbers for Prometheus: `telemetry()`',
  },
  { file: 'plugins/accounts/README.md', title: 'Accounts', summary: 'log in to a provider once: `toolkit auth`, callers, refresh tokens' },
  { file: 'plugins/host-stdio/README.md', title: 'Hosts in other languages', summary: 'the protocol of `toolkit host`' },
  { file: 'plugins/mcp/README.md', title: 'MCP server', summary: 'transports, sessions, limits, HTTPS, what clients get' },
  { file: 'plugins/mcp/commands/setup/README.md', title: 'Connecting an assistant', summary: 'what `toolkit mcp setup` does' },
  { file: 'plugins/adapter-langchain/README.md', title: 'LangChain', summary: 'the tools for LangChain and LangGraph' },
  { file: 'plugins/adapter-ai-sdk/README.md', title: 'AI SDK', summary: 'the tools for the AI SDK' },
  { file: 'plugins/adapter-openai/README.md', title: 'OpenAI', summary: 'the tools for the OpenAI API' },
  { file: 'plugins/adapter-anthropic/README.md', title: 'Anthropic', summary: 'the tools for the Anthropic API' },
  { file: 'SECURITY.md', title: 'Security', summary: 'what is promised against a model, a package and a stranger, and what is not' },
  { file: 'CONTRIBUTING.md', title: 'Contributing', summary: 'recipes, the path of a call, glossary, the rules that tests hold' },
  { file: 'test/bench/README.md', title: 'What it costs', summary: 'calls, starts and memory beside the bare SDK and FastMCP' },
];
