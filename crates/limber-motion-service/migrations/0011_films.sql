-- Which films there are of a clip: jobs of the processor `render` name it in their sources.
create index jobs_filmed on jobs using gin (sources) where processor = 'render';
