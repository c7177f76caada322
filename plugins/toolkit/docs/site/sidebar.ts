/** A part of the menu. */
export interface MenuSection {
  /** The aim of a reader. */
  readonly title: string;
  /** Paths from the folder of package.json on, in the order of the menu. */
  readonly files: readonly string[];
}

/**
 * The pages by the aim of a reader. Every guide (`*.md` of the top folder and of `plugins/`) is in one section; the build of the site refuses
 * a guide that is in none. The pages of tools have menus of their own.
 */
export const menu: readonly MenuSection[] = [
  { title: 'Start', files: ['README.md', 'plugins/cli/README.md'] },
  {
    title: 'Write tools',
    files: [
      'plugins/toolkit/TOOLS.md',
      'plugins/toolkit/OPENAPI.md',
      'plugins/upstreams/README.md',
      'plugins/toolkit/FUNCTION-TOOLS.md',
      'plugins/toolkit/ENCODINGS.md',
      'plugins/cli/commands/test/README.md',
      'plugins/calls-once/README.md',
      'plugins/accounts/README.md',
    ],
  },
  {
    title: 'Connect a client',
    files: [
      'plugins/mcp/commands/setup/README.md',
      'plugins/mcp/README.md',
      'plugins/adapter-langchain/README.md',
      'plugins/adapter-ai-sdk/README.md',
      'plugins/adapter-openai/README.md',
      'plugins/adapter-anthropic/README.md',
    ],
  },
  {
    title: 'Operate',
    files: [
      'plugins/toolkit/OPERATING.md',
      'plugins/approvals/README.md',
      'plugins/console/README.md',
      'plugins/telemetry/README.md',
      'plugins/toolkit/SEVERAL-PROCESSES.md',
      'plugins/engine-local/README.md',
      'plugins/engine-bullmq/README.md',
      'test/bench/README.md',
    ],
  },
  { title: 'Secure', files: ['SECURITY.md', 'plugins/toolkit/SECRETS.md', 'plugins/sandbox-bwrap/README.md'] },
  { title: 'Embed', files: ['plugins/toolkit/EMBEDDING.md', 'plugins/python-sdk/README.md', 'plugins/host-stdio/README.md'] },
  { title: 'Plugins', files: ['plugins/README.md', 'plugins/toolkit/reference/hooks.md'] },
  {
    title: 'Reference',
    files: [
      'plugins/toolkit/reference/tools.md',
      'plugins/toolkit/reference/commands.md',
      'plugins/toolkit/reference/definition-keys.md',
      'plugins/toolkit/reference/options.md',
      'plugins/toolkit/reference/errors.md',
      'CHANGELOG.md',
    ],
  },
  { title: 'Contribute', files: ['CONTRIBUTING.md', 'plugins/toolkit/reference/map.md'] },
];

/** Markdown files of `plugins/` that are no guides. */
export const otherTexts: readonly string[] = ['plugins/mcp/docker/**', 'plugins/toolkit/reference/**'];
