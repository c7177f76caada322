import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel, type PluginEntry } from '../../../../kernel/index.ts';
import { estimatedTokens } from '../../../../plugins/shared/exposure/estimated-tokens.ts';
import { refusalsOf } from '../../../../plugins/shared/exposure/profiles/refusals.ts';
import { tokensOf } from '../../../../plugins/shared/exposure/tool-lists.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { connect } from '../../mcp/support/client.ts';

