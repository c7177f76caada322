import { ToolkitError } from '../../../kernel/index.ts';

/** The error of a message that certainly did not reach the server, so that it may be sent again. */
export class NotSentError extends ToolkitError {
  constructor(server: string, cause?: unknown) {
    super('UPSTREAM_UNAVAILABLE', `The MCP server "${server}" has ended.`, { server }, { cause });
  }
}
