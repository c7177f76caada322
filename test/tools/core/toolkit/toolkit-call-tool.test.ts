import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { CallRequest, ErrorCode, JsonValue } from '../../../../kernel/index.ts';
import { approvalGate, auditTrail } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const model: Partial<CallRequest> = { origin: 'model', caller: 'desk-4' };

async function asModel(files: Readonly<Record<string, string>> = {}) {
  const cwd = await temporaryFolder(files);
  const toolkit = await coreToolkit({ cwd });
  return (name: string, given: unknown, more: Partial<CallRequest> = {}): Promise<JsonValue> =>
    toolkit.kernel.execute('toolkit_call_tool', { name, arguments: given }, { ...model, ...more });
}

describe('toolkit_call_tool', () => {
  it('gives what the called tool gives', async () => {
    const call = await asModel({ 'ü.txt': 'Grüße' });
    expect(await call('fs_read_file', { path: 'ü.txt' })).to.have.nested.property('output.content', 'Grüße');
  });

  const failures: { name: string; given: unknown; code: ErrorCode; says: string }[] = [
    { name: 'fs_read_fil', given: {}, code: 'TOOL_NOT_FOUND', says: 'Did you mean "fs_read_file"?' },
    { name: 'fs_read_file', given: {}, code: 'INVALID_PARAMETERS', says: 'path is required' },
    { name: 'fs_read_file', given: { path: '../x' }, code: 'INVALID_PARAMETERS', says: 'expected a path inside' },
    { name: 'fs_read_file', given: { path: 'x', maxbytes: 1 }, code: 'INVALID_PARAMETERS', says: 'maxbytes' },
    { name: 'toolkit_call_tool', given: {}, code: 'INVALID_PARAMETERS', says: 'cannot call itself' },
    { name: 'system_execute', given: { command: 'true' }, code: 'APPROVAL_REQUIRED', says: '_toolkit_approved: true' },
    { name: 'system_execute', given: { command: 'true', _toolkit_approved: false }, code: 'APPROVAL_REQUIRED', says: 'needs approval' },
    { name: 'system_execute', given: { command: 'true', _toolkit_approved: 1 }, code: 'INVALID_PARAMETERS', says: 'expected true' },
  ];
  for (const { name, given, code, says } of failures) {
    it(`fails as ${name} fails, with ${code}, for ${JSON.stringify(given)}`, async () => {
      expect((await rejection((await asModel())(name, given), code)).message).to.include(says);
    });
  }

  it('passes the approval of a person on', async () => {
    const call = await asModel();
    const { output } = (await call('system_execute', { command: 'true', _toolkit_approved: true })) as { output: JsonValue };
    expect(output).to.include({ exit_code: 0 });
  });

  it('does not pass its own approval on', async () => {
    await rejection((await asModel())('system_execute', { command: 'true' }, { approved: true }), 'APPROVAL_REQUIRED');
  });

  it('leaves no approval token and no credential of its arguments in the audit trail, in a question or in a log', async () => {
    const cwd = await temporaryFolder({
      'tools/shop.yaml':
        'name: shop_order\ndescription: Orders.\nparameters:\n  id: { type: string }\nexecution: { type: http, method: get, url: "https://shop.example/{id}", headers: { authorization: "Bearer {SHOP_TOKEN}" } }\n',
    });
    const asked: unknown[] = [];
    const logger = memoryLogger();
    const trail = path.join(cwd, 'audit.jsonl');
    const onApproval = async (request: { readonly parameters: unknown }) => void asked.push(request.parameters);
    const toolkit = await coreToolkit({
      cwd,
      logger,
      toolPaths: [path.join(cwd, 'tools')],
      plugins: [auditTrail({ path: trail }), approvalGate({ mode: 'strict', onApproval })],
    });
    const unspent = 'Ab1_'.repeat(18);
    const calls = [
      { name: 'system_execute', arguments: { command: 'true', _toolkit_approved: unspent } },
      { name: 'time_now', arguments: { SHOP_TOKEN: 'shop-0123456789', _toolkit_approved: unspent } },
      { name: 'shop_order', arguments: { id: '1', SHOP_TOKEN: 'shop-0123456789' } },
    ];
    for (const parameters of calls) await toolkit.kernel.execute('toolkit_call_tool', parameters, model).catch(() => {});
    const host = toolkit.kernel.execute('toolkit_call_tool', { name: 'time_now', arguments: { SHOP_TOKEN: 'shop-0123456789' } });
    await host.catch(() => {});
    const everything = `${await readFile(trail, 'utf8')}${JSON.stringify([asked, logger.records])}`;
    expect(everything).to.include('[secret _toolkit_approved]').and.include('[secret SHOP_TOKEN]');
    expect(everything).to.not.include(unspent).and.not.include('shop-0123456789');
  });

  it('reaches only what its caller may see', async () => {
    const call = await asModel();
    const isVisible = ({ name }: { readonly name: string }): boolean => name !== 'time_now';
    await rejection(call('time_now', {}, { isVisible }), 'TOOL_NOT_FOUND');
  });
});
