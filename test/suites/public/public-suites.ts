import type { PublicSuite } from './public-suite.ts';
import { cron } from './readers/cron.ts';
import { jmespath } from './readers/jmespath.ts';
import { jsonSchema } from './readers/json-schema.ts';
import { markdown } from './readers/markdown.ts';
import { mustache } from './readers/mustache.ts';
import { toml } from './readers/toml.ts';
import { yaml } from './readers/yaml.ts';
import { webSuites } from './web-suites.ts';

/** Readers of the public suites that the tools are held against. A file of cases without one here fails. */
export const publicSuites: readonly PublicSuite[] = [cron, jmespath, jsonSchema, markdown, mustache, ...toml, yaml, ...webSuites];
