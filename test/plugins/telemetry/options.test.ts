import { expect } from 'chai';
import { telemetry } from '../../../plugins/telemetry/index.ts';
import type { TelemetryOptions } from '../../../plugins/telemetry/options.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

describe('the options of telemetry()', () => {
  const refused: readonly (readonly [options: object, says: string])[] = [
    [{ metrics: 'yes' }, 'metrics expected boolean or object, received string "yes"'],
    [{ metrics: { host: '127.0.0.1' } }, 'metrics.port is required'],
    [{ traces: 'on' }, 'traces expected boolean or "auto", received string "on"'],
    [{ traces: {} }, 'traces expected boolean or "auto", received object'],
  ];
  for (const [options, says] of refused)
    it(`are refused with every form that is accepted: ${says}`, async () => {
      const start = testKernel({ plugins: [telemetry(options as TelemetryOptions)], tools: [] });
      expect((await rejection(start, 'PLUGIN_INVALID')).message).to.include(says);
    });
});
