import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/account.css';
import './styles/tools.css';
import { render } from 'preact';
import { App } from './app.tsx';

render(<App />, document.getElementById('app') as HTMLElement);
