import * as z from 'zod';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/forms.css';
import { boot } from './boot.ts';

// The page's policy forbids eval, which zod would use for speed.
z.config({ jitless: true });

const target = document.getElementById('app');
if (target === null) throw new Error('the page has no #app');
await boot(target);
