/** Types of the protocol, as the official SDK writes them. Types only: nothing is loaded. */
export type {
  CallToolResult,
  ClientCapabilities,
  CompleteRequestParams,
  CreateMessageResult,
  ElicitResult,
  ListRootsResult,
  LoggingLevel as LogLevel,
  Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
