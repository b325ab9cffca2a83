import { mount } from 'svelte';
import * as z from 'zod';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import App from './App.svelte';
import { start } from './state/app.svelte.ts';
import { carryOut } from './state/commands.svelte.ts';
import { refreshPresets } from './state/presets.svelte.ts';
import { loadSettings } from './state/settings.svelte.ts';

// The page's policy forbids making code from text, which zod would otherwise try for speed.
z.config({ jitless: true });

const target = document.getElementById('app');
if (target === null) throw new Error('the page has no #app');
// The language first, so that no word is shown in another one; without the settings the defaults do.
await loadSettings().catch(() => undefined);
mount(App, { target });
void start(carryOut);
void refreshPresets();
