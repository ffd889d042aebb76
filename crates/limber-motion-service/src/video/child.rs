//! The child process: receives its order, renders the video, and reports progress and outcome.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Write},
    num::NonZero,
    ops::ControlFlow,
    thread,
};

use limber_pipeline::{PipelineError, Progress, video};
use limber_system::{limits, processor_time};

use super::{ChildMessage, VideoOrder};

/// Renders one video.
pub(crate) fn render(order: &VideoOrder) -> io::Result<()> {
    // several cores may render at once, so this only bounds CPU time; the parent limits elapsed
    // time
    let processors = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let cpu_s = processors * order.video.limit_s().ceil() as u64;
    limits::to_drawing(cpu_s, order.memory_mib)?;
    end_with_the_parent();
    let glb = std::fs::read(&order.character)?;
    let mut out = BufWriter::new(File::create(&order.output)?);
    let made = video::render(&glb, &order.video, &mut out, &mut |progress| match at(progress) {
        Ok(()) => ControlFlow::Continue(()),
        // the parent no longer listens
        Err(_) => ControlFlow::Break(()),
    });
    out.flush()?;
    match made {
        Ok(()) => tell(&ChildMessage::Done),
        Err(PipelineError::Cancelled) => Ok(()),
        Err(PipelineError::Failed(failure)) => {
            let message = failure.message.to_string();
            tell(&ChildMessage::Failed { code: failure.code.number(), message })
        }
    }
}

/// Aborts the process when standard input closes, which means that nobody waits for the result.
pub(crate) fn end_with_the_parent() {
    thread::spawn(|| {
        let _ = io::stdin().lock().read_to_end(&mut Vec::new());
        // rendering cannot be stopped in any other way
        std::process::abort();
    });
}

fn at(progress: Progress) -> io::Result<()> {
    let (stage, share) = (progress.stage.name().to_owned(), progress.share);
    let cpu_ms = u64::try_from(processor_time::of_process().as_millis()).unwrap_or(u64::MAX);
    tell(&ChildMessage::At { stage, share, cpu_ms })
}

fn tell(what: &ChildMessage) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, what).map_err(io::Error::other)?;
    out.write_all(b"\n")?;
    out.flush()
}
