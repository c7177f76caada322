import { excerpt } from '../../../kernel/index.ts';
import { collectorOf, headersVariables } from './collector.ts';
import { type Environment, firstSet, settingOf } from './environment.ts';
import { headerFaults } from './header-list.ts';

/** Returns the settings that have another effect here than they say, as sentences. Never part of a header. */
export function warningsOf(env: Environment, exporters: readonly string[]): string[] {
  return [
    ...exporterWarnings(exporters),
    ...protocolWarnings(env),
    ...endpointWarnings(env),
    ...headersVariables.flatMap((name) => headerWarnings(name, settingOf(env, name))),
    ...samplerWarnings(env),
  ];
}

function exporterWarnings(exporters: readonly string[]): string[] {
  const others = exporters.filter((name) => name !== 'otlp' && name !== 'none');
  if (others.length === 0) return [];
  return [
    `OTEL_TRACES_EXPORTER names ${excerpt(others.join(', '))}: the only exporter here is "otlp". Name that one: of others no spans are sent`,
  ];
}

function protocolWarnings(env: Environment): string[] {
  const [name, protocol] = firstSet(env, ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) ?? [];
  if (protocol === undefined || protocol === 'http/protobuf') return [];
  return [
    `${name} is "${excerpt(protocol)}": spans are sent by http/protobuf. Set it to that, with the port that the collector has for it, such as 4318`,
  ];
}

function endpointWarnings(env: Environment): string[] {
  const { url, variable } = collectorOf(env);
  if (url !== undefined) return [];
  return [`${variable} is no URL of http or https: no spans are sent. Give it a URL such as http://collector.example:4318`];
}

function headerWarnings(name: string, list: string): string[] {
  const faults = headerFaults(list);
  const fault = faults.find(({ isFatal }) => isFatal) ?? faults[0];
  if (fault === undefined) return [];
  const { entry, what, isFatal } = fault;
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
  const effect = isFatal ? 'no spans are sent' : 'it is not sent as it stands there';
  return [
    `${name}: entry ${entry} ${what}${more}: ${effect}. Expected name=value, with commas between, such as authorization=Bearer%20<token>`,
  ];
}

const ratios: readonly string[] = ['traceidratio', 'parentbased_traceidratio'];
const samplers: readonly string[] = ['always_on', 'always_off', 'parentbased_always_on', 'parentbased_always_off', ...ratios];

function samplerWarnings(env: Environment): string[] {
  const name = 'OTEL_TRACES_SAMPLER';
  const argument = `${name}_ARG`;
  // The SDK compares it as it stands.
  const sampler = settingOf(env, name) === '' ? undefined : env[name];
  const share = settingOf(env, argument);
  if (sampler !== undefined && !samplers.includes(sampler))
    return [
      `${name} is "${excerpt(sampler)}": expected ${samplers.join(', ')}. parentbased_always_on takes its place: all traces are sent, except those of clients that say that theirs is not`,
    ];
  if (!ratios.includes(sampler ?? ''))
    return share === '' ? [] : [`${argument} is "${excerpt(share)}" and has no effect: it belongs to ${ratios.join(' and ')} in ${name}`];
  const ratio = Number(share);
  if (share !== '' && ratio >= 0 && ratio <= 1) return [];
  return [
    `${argument} is ${share === '' ? 'not set' : `"${excerpt(share)}"`}: expected a number from 0 to 1, such as 0.1. All traces are sent`,
  ];
}
