import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { FormatName } from '../../../../../../plugins/cli/commands/validate/formats/format-names.ts';
import { formats } from '../../../../../../plugins/cli/commands/validate/formats/formats.ts';
import type { Finding, Report } from '../../../../../../plugins/cli/commands/validate/report.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { goodTool, validated } from '../validated.ts';

const outside = path.resolve('/elsewhere/a b.yaml');

const findings: readonly Finding[] = [
  { severity: 'error', rule: 'PLUGIN_FAILED', message: 'the disk is full', plugin: 'disk' },
  { severity: 'error', rule: 'TOOL_INVALID', message: 'cannot be read', file: outside, plugin: 'tool-files' },
  {
    severity: 'warning',
    rule: 'missing-example',
    message: 'are missing. Show one: {parameters: {…}}',
    file: path.join('größe', 'a,b:c%41.yaml'),
    line: 3,
    column: 7,
    path: 'examples',
    tool: 'say',
    plugin: 'tool-files',
  },
  {
    severity: 'error',
    rule: 'TOOL_INVALID',
    message: '100%\r\n::set-env name=a::b',
    file: 'z.yaml',
    line: 1,
    column: 1,
    path: 'odd:key',
    tool: 'odd',
  },
];

const report: Report = { tools: 2, providers: 1, skills: 0, findings };
const clean: Report = { tools: 1, providers: 0, skills: 3, findings: [] };
const summary = '2 tools, 1 provider, 0 skills: 3 errors, 1 warning';

const plain = { hasColors: false };

describe('the formats of a report', () => {
  it('text: a line for each finding, and a summary', () => {
    expect(formats.text(report, plain).split('\n')).to.deep.equal([
      'plugin disk: error: the disk is full',
      `${outside}: error: cannot be read`,
      `${path.join('größe', 'a,b:c%41.yaml')}:3:7: warning: examples are missing. Show one: {parameters: {…}}`,
      'z.yaml:1:1: error: odd:key 100%\\u000d\\u000a::set-env name=a::b',
      summary,
      '',
    ]);
    expect(formats.text(clean, plain)).to.equal('1 tool, 0 providers, 3 skills: 0 errors, 0 warnings\n');
  });

  it('text: what is wrong stands out where there are colours', () => {
    const text = formats.text(report, { hasColors: true });
    expect(text).to.include('\x1b[31merror:\x1b[39m the disk is full').and.to.include('\x1b[33mwarning:\x1b[39m');
    expect(text).to.include(`\x1b[31m${summary}\x1b[39m`);
  });

  it('json: what was found, and the numbers', () => {
    expect(JSON.parse(formats.json(report))).to.deep.equal({
      problems: findings,
      tools: 2,
      providers: 1,
      skills: 0,
      errors: 3,
      warnings: 1,
    });
    expect(JSON.parse(formats.json(clean))).to.deep.equal({ problems: [], tools: 1, providers: 0, skills: 3, errors: 0, warnings: 0 });
  });

  it('github: workflow commands that no text can end or begin', () => {
    expect(formats.github(report).split('\n')).to.deep.equal([
      '::error title=PLUGIN_FAILED::plugin disk: the disk is full',
      `::error file=${outside.replaceAll(path.sep, '/').replaceAll(':', '%3A')},title=TOOL_INVALID::cannot be read`,
      '::warning file=größe/a%2Cb%3Ac%2541.yaml,line=3,col=7,title=missing-example::examples are missing. Show one: {parameters: {…}}',
      '::error file=z.yaml,line=1,col=1,title=TOOL_INVALID::odd:key 100%25%0D%0A::set-env name=a::b',
      summary,
      '',
    ]);
  });

  it('sarif: a log of version 2.1.0', () => {
    const log = JSON.parse(formats.sarif(report));
    expect(Object.keys(log)).to.deep.equal(['$schema', 'version', 'runs']);
    expect(log.version).to.equal('2.1.0');
    const [{ tool, columnKind, results }] = log.runs;
    expect(tool.driver.name).to.equal('toolkit');
    expect(tool.driver.rules).to.deep.equal([
      { id: 'PLUGIN_FAILED', shortDescription: { text: 'plugin code threw; details name the plugin and the hook.' } },
      { id: 'TOOL_INVALID', shortDescription: { text: 'a tool or provider definition is refused.' } },
      { id: 'missing-example', shortDescription: { text: 'a tool has no example.' } },
    ]);
    expect(columnKind).to.equal('utf16CodeUnits');
    expect(results).to.deep.equal([
      { ruleId: 'PLUGIN_FAILED', ruleIndex: 0, level: 'error', message: { text: 'plugin disk: the disk is full' } },
      {
        ruleId: 'TOOL_INVALID',
        ruleIndex: 1,
        level: 'error',
        message: { text: 'cannot be read' },
        locations: [{ physicalLocation: { artifactLocation: { uri: pathToFileURL(outside).href } } }],
      },
      {
        ruleId: 'missing-example',
        ruleIndex: 2,
        level: 'warning',
        message: { text: 'examples are missing. Show one: {{parameters: {{…}}}}' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'gr%C3%B6%C3%9Fe/a%2Cb%3Ac%2541.yaml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 3, startColumn: 7 },
            },
            logicalLocations: [{ name: 'say', kind: 'function' }],
          },
        ],
      },
      {
        ruleId: 'TOOL_INVALID',
        ruleIndex: 1,
        level: 'error',
        message: { text: 'odd:key 100%\r\n::set-env name=a::b' },
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: 'z.yaml', uriBaseId: '%SRCROOT%' }, region: { startLine: 1, startColumn: 1 } },
            logicalLocations: [{ name: 'odd', kind: 'function' }],
          },
        ],
      },
    ]);
    expect(JSON.parse(formats.sarif(clean)).runs[0].results).to.deep.equal([]);
  });

  const shown: Readonly<Record<FormatName, string>> = {
    text: 'tools/say.yaml:3:1: error: risk expected one of',
    json: '"file": "tools/say.yaml",\n      "line": 3,\n      "column": 1,\n      "path": "risk"',
    sarif: '"startLine": 3,\n                  "startColumn": 1',
    github: '::error file=tools/say.yaml,line=3,col=1,title=TOOL_INVALID::risk expected one of',
  };
  for (const [format, text] of Object.entries(shown)) {
    it(`${format}: shows a real mistake`, async () => {
      const cwd = await temporaryFolder({ 'tools/say.yaml': goodTool('say', 'risk: enormous\n') });
      expect(await validated(cwd, { format: format as FormatName })).to.include(text);
    });
  }
});
