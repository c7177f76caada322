import os from 'node:os';

interface SystemInfo {
  readonly platform: NodeJS.Platform;
  readonly release: string;
  readonly arch: string;
  readonly cpus: number;
  /** In bytes. */
  readonly memory_total: number;
  /** In bytes. */
  readonly memory_free: number;
  /** In seconds. */
  readonly uptime: number;
  readonly node_version: string;
  readonly hostname: string;
}

export function info(): SystemInfo {
  return {
    platform: process.platform,
    release: os.release(),
    arch: process.arch,
    cpus: os.availableParallelism(),
    memory_total: os.totalmem(),
    memory_free: os.freemem(),
    uptime: Math.floor(os.uptime()),
    node_version: process.versions.node,
    hostname: os.hostname(),
  };
}
