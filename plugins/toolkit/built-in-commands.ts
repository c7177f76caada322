import { apiVersion, definePlugin, type Plugin } from '../../kernel/index.ts';
import { auditVerifyCommand } from '../audit-trail/command.ts';
import { describeTool } from '../describe-tool/index.ts';
import { devServer } from '../dev-server/index.ts';
import { doctor } from '../doctor/index.ts';
import { explain } from '../explain/index.ts';
import { listTools } from '../list-tools/index.ts';
import { mcp } from '../mcp/index.ts';
import { mcpSetup } from '../mcp-setup/index.ts';
import { newFiles } from '../new-files/index.ts';
import { runTool } from '../run-tool/index.ts';
import { searchTools } from '../search-tools/index.ts';
import { secretsCheck } from '../secrets-check/index.ts';
import { validate } from '../validate/index.ts';
import { completion } from './completion-command.ts';

/** So that a trail can be verified where no configuration keeps one. One that does takes its place. */
const auditVerify = definePlugin({ name: 'audit-trail', apiVersion, commands: [auditVerifyCommand], apply() {} });

/** The plugins whose commands are always there, in the order of the help. */
export function builtInCommands(): readonly Plugin[] {
  return [
    mcp(),
    mcpSetup(),
    devServer(),
    listTools(),
    searchTools(),
    describeTool(),
    runTool(),
    newFiles(),
    validate(),
    explain(),
    secretsCheck(),
    doctor(),
    auditVerify(),
    completion(),
  ];
}
