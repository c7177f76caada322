import { expect } from 'chai';
import { python } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedTool } from '../time/shared-tool.ts';

const program = `
import os, socket
result = {
    "release": os.uname().release,
    "hostname": socket.gethostname(),
    "cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
    "memory": os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
}`;

interface Machine {
  readonly release: string;
  readonly hostname: string;
  readonly cpus: number;
  readonly memory: number;
}

describe('system_info', () => {
  const tell = sharedTool<Readonly<Record<string, unknown>>>('system_info');

  it('tells what Python tells about the machine', async () => {
    const seen = python<Machine>(program);
    const info = await tell({});
    expect(info).to.include({ release: seen.release, hostname: seen.hostname, cpus: seen.cpus, memory_total: seen.memory });
    expect(info).to.include({ platform: process.platform, arch: process.arch, node_version: process.versions.node });
    expect(info['memory_free']).to.be.within(1, seen.memory);
    expect(info['uptime']).to.be.a('number').and.satisfy(Number.isInteger).and.at.least(Math.floor(process.uptime()));
  });

  it('tells nothing of the environment', async () => {
    const info = await tell({});
    expect(Object.keys(info)).to.have.length(9);
  });

  it('takes no parameters', async () => {
    await rejection(tell({ verbose: true }), 'INVALID_PARAMETERS');
  });
});
