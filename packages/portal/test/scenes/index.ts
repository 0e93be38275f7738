import { adminScenes } from './admin.ts';
import type { Scenes } from './scene.ts';
import { selfScenes } from './self.ts';

export const allScenes: readonly Scenes[] = [adminScenes, selfScenes];
