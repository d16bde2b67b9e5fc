import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/forms.css';
import './styles/tables.css';
import './styles/states.css';
import './styles/dialogs.css';
import './styles/account.css';
import './styles/designer.css';
import './styles/preview.css';
import './styles/import.css';
import './styles/batches.css';
import './styles/keys.css';
import './styles/labels.css';
import './styles/tools.css';
import { render } from 'preact';
import { App } from './app.tsx';

render(<App />, document.getElementById('app') as HTMLElement);
