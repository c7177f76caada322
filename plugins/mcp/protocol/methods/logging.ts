import Type from 'typebox';
import { logLevels } from '../log-levels.ts';
import { type Method, method, paramsOf } from './method.ts';

/** Sets the least severe log level that the client of a session wants. */
export const loggingMethods: Readonly<Record<string, Method>> = {
  'logging/setLevel': method({
    params: paramsOf({ level: Type.Enum([...logLevels]) }),
    isIn: ({ hasSessions }) => hasSessions,
    answer(connection, { level }) {
      connection.logLevel = level;
      return {};
    },
  }),
};
