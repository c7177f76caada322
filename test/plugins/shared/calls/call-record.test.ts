import { expect } from 'chai';
import { keys, newCallKey } from '../../../../plugins/shared/calls/call-keys.ts';
import { type CallRecord, parseRecord, recordVersion } from '../../../../plugins/shared/calls/call-record.ts';
import type { RecordSteps } from '../../../../plugins/shared/state/record-versions.ts';

describe('a record of a durable call', () => {
  const written = { version: 1, id: 'a', caller: 'ada', name: 'act' };

  it('of an earlier version is brought to this one, step by step', () => {
    const steps: RecordSteps = [({ name, ...record }) => ({ ...record, tool: name }), (record) => ({ ...record, decisions: [] })];
    expect(parseRecord(JSON.stringify(written), steps)).to.deep.equal({ version: 3, id: 'a', caller: 'ada', tool: 'act', decisions: [] });
    const second = { version: 2, id: 'a', tool: 'act' };
    expect(parseRecord(JSON.stringify(second), steps)).to.deep.equal({ version: 3, id: 'a', tool: 'act', decisions: [] });
  });

  it('of this version is taken as it is', () => {
    expect((parseRecord(JSON.stringify({ ...written, version: recordVersion })) as CallRecord).id).to.equal('a');
  });

  it('of a later version is left alone', () => {
    expect(parseRecord(JSON.stringify({ ...written, version: recordVersion + 1 }))).to.deep.equal({ laterVersion: recordVersion + 1 });
  });

  it('has a place by which the newest comes first', () => {
    const name = { caller: 'ada', id: 'a' };
    const places = [1000, 20, 1_795_548_777_266].map((time) => keys.call(newCallKey(name, time)));
    expect([...places].sort()).to.deep.equal([places[2], places[0], places[1]]);
  });
});
