import { expect } from 'chai';
import { failure } from './failure.ts';
import { desk, pets, request } from './stand-in.ts';

const given = { collection_path: 'pets', request_name: 'Get pet' };

describe('apiclient_run_request', () => {
  it('gives what was sent, what came back and what was checked', async () => {
    const { call, runs } = await desk({ files: pets(), plan: { report: '4.1-post' } });
    const answer = await call('run_request', { ...given, environment: 'local' });
    expect([answer.success, answer.errors]).to.deep.equal([true, []]);
    expect(answer.request).to.deep.equal({
      method: 'POST',
      url: 'http://127.0.0.1:8080/pets',
      headers: { 'X-One': '1', Authorization: 'Bearer ********', 'content-type': 'application/json' },
      body: '{ "name": "Grüße" }',
    });
    expect(answer.response).to.deep.include({ status: 200, body: { method: 'POST', url: '/pets', body: '{ "name": "Grüße" }' } });
    expect(answer.response?.headers).to.include({ 'content-type': 'application/json' });
    expect(answer.response?.duration_ms).to.be.a('number');
    expect(answer.assertions).to.deep.equal([
      { name: 'res.status eq 200', status: 'passed' },
      { name: 'is ok', status: 'passed' },
    ]);
    const [run, ...others] = await runs();
    expect(others).to.deep.equal([]);
    expect(run?.args.slice(0, 4)).to.deep.equal(['run', './get-pet.bru', '--env=local', '--sandbox=safe']);
  });

  it('gives integers beyond 2^53 with all the digits of the report', async () => {
    const row = '{"name":"Get pet","status":"pass","request":{"method":"GET"},"response":{"status":200,"data":{"id":7960607143101464577}}}';
    const { call } = await desk({ files: pets(), plan: { reportText: `[{"iterationIndex":0,"results":[${row}]}]` } });
    const { response, note } = await call('run_request', given);
    expect(response).to.deep.include({ status: 200, body: { id: '7960607143101464577' } });
    // The runner has read the answer before.
    expect(note).to.include('last digits may be wrong');
  });

  const reports: { report: string; exitCode: number; errors: readonly string[]; status: number | undefined }[] = [
    { report: '4.1-failing-test', exitCode: 1, errors: ['should be 200: expected 404 to equal 200'], status: 404 },
    { report: '4.1-script-error', exitCode: 1, errors: ["Test Script Error: 'nothing' is not defined"], status: 200 },
    { report: '4.1-refused', exitCode: 1, errors: ['connect ECONNREFUSED 127.0.0.1:9'], status: undefined },
    { report: '2.15-refused', exitCode: 1, errors: ['connect ECONNREFUSED 127.0.0.1:9'], status: undefined },
    { report: '1.40-refused', exitCode: 1, errors: ['connect ECONNREFUSED 127.0.0.1:9'], status: undefined },
    { report: '1.40-failing-assertion', exitCode: 1, errors: ['res.status eq 200: expected undefined to equal 200'], status: 404 },
    { report: '1.40-skipped', exitCode: 0, errors: ['Request has been skipped from pre-request script'], status: undefined },
    { report: '4.1-post', exitCode: 7, errors: ['The runner ended with code 7, although the request did not fail.'], status: 200 },
  ];
  for (const { report, exitCode, errors, status } of reports) {
    it(`is no success after the report ${report} and exit code ${exitCode}, and says why`, async () => {
      const { call } = await desk({ files: pets(), plan: { report, exitCode } });
      const answer = await call('run_request', given);
      expect(answer.success).to.equal(false);
      expect(answer.errors.filter((error) => !error.includes('expected 404 to equal 200') || errors.includes(error))).to.deep.equal(errors);
      expect(answer.response?.status).to.equal(status);
    });
  }

  it('says that assertions may have failed for no reason when the sandbox was not ready', async () => {
    const stderr = "TypeError: Cannot read properties of undefined (reading 'newContext')";
    const { call } = await desk({ files: pets(), plan: { report: '4.1-failing-test', exitCode: 1, stderr } });
    expect((await call('run_request', given)).errors[0]).to.include('sandbox of the runner was not ready');
  });

  it('finds a request in a folder, by a name with every letter', async () => {
    const { call, runs } = await desk({ collections: ['every block'], plan: { report: '4.1-post' } });
    await call('run_request', { collection_path: 'every block', request_name: 'Alles, was größer ist: 日本', sandbox_mode: 'developer' });
    const [run] = await runs();
    expect(run?.args.slice(0, 2)).to.deep.equal(['run', './größer & später/alles auf einmal.bru']);
    expect(run?.args).to.include('--sandbox=developer');
  });

  it('finds a request of a collection of YAML files', async () => {
    const { call, runs } = await desk({ collections: ['open'], plan: { report: '4.1-post' } });
    await call('run_request', { collection_path: 'open', request_name: 'Get a pet – 日本' });
    expect((await runs())[0]?.args.slice(0, 2)).to.deep.equal(['run', './pets/get.yml']);
  });

  const refusals: { title: string; parameters: Record<string, unknown>; words: readonly string[] }[] = [
    {
      title: 'a name that no request has',
      parameters: { request_name: 'Gone' },
      words: ['has the name "Gone"', 'apiclient_get_collection_info lists them'],
    },
    { title: 'a name in other letters', parameters: { request_name: 'get PET' }, words: ['must match exactly', 'Like it are "Get pet"'] },
    {
      title: 'a name that two requests have',
      parameters: { request_name: 'Twin' },
      words: ['2 requests', 'the name "Twin": sub/b.bru, a.bru', 'Rename'],
    },
    { title: 'a file name', parameters: { request_name: 'sub/slow.bru' }, words: ['has the name "sub/slow.bru"'] },
    {
      title: 'the name of a file that is broken',
      parameters: { request_name: 'Broken' },
      words: ['Not readable: broken.bru: cannot be read'],
    },
    { title: 'an empty name', parameters: { request_name: '' }, words: ['request_name'] },
    { title: 'a name with a line end', parameters: { request_name: 'Get pet\n' }, words: ['must match exactly'] },
    { title: 'an environment that is not there', parameters: { environment: 'gone' }, words: ['no environment "gone"', '"local"'] },
    { title: 'an environment file that is missing', parameters: { env_file: 'gone.bru' }, words: ['/gone.bru cannot be opened'] },
    { title: 'a collection that is missing', parameters: { collection_path: 'gone' }, words: ['cannot be opened (ENOENT)'] },
    { title: 'a sandbox that nobody knows', parameters: { sandbox_mode: 'Safe' }, words: ['sandbox_mode', 'developer'] },
  ];
  for (const { title, parameters, words } of refusals) {
    it(`refuses ${title}, and runs nothing`, async () => {
      const { call, starts } = await desk({
        files: pets({ 'a.bru': request('Twin'), 'sub/b.bru': request('Twin'), 'broken.bru': 'meta {\n  name: Broken\n' }),
      });
      failure(await call('run_request', { ...given, ...parameters }), ...words);
      expect(await starts()).to.deep.equal([]);
    });
  }

  const reportsWithout: { title: string; reportText: string; words: readonly string[] }[] = [
    { title: 'a report without it', reportText: '[]', words: ['The runner did not run "Get pet".'] },
    {
      title: 'a report of a file that it could not read',
      reportText: '[{"results":[{"test":{"filename":"get-pet.bru"},"status":"skipped","error":"Line 1"}]}]',
      words: ['did not run "Get pet"', 'get-pet.bru: cannot be read: Line 1'],
    },
  ];
  for (const { title, reportText, words } of reportsWithout) {
    it(`fails with ${title}`, async () => {
      const { call } = await desk({ files: pets(), plan: { reportText } });
      failure(await call('run_request', given), ...words);
    });
  }
});
