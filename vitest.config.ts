import { configDefaults } from 'vitest/config';
import base from './vitest.base.config.ts';
import { laneOf } from './vitest.projects.ts';

const { include = [], exclude = configDefaults.exclude, typecheck = {} } = base.test ?? {};

export default laneOf('all', { include, exclude, typecheck });
