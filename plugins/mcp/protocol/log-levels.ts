import type { LogLevel } from '../../shared/mcp-sdk/types.ts';

/** Log levels of the protocol, least severe first (RFC 5424, 6.2.1). */
export const logLevels: readonly LogLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
