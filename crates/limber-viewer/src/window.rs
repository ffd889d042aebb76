//! The window: connects winit's events with three-d's rendering.

mod labels;
mod place;
mod saving;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use glam::Vec2;
use limber_api::viewer::{ViewerCommand, ViewerEvent};
use limber_render::{PictureSize, Quality, SmoothTarget, Stage};
use three_d::{
    ClearState, Context, Event as Input, FrameInput, FrameInputGenerator, GUI, HasContext,
    MouseButton, ScissorBox, SurfaceSettings, Viewport, WindowedContext,
};
use winit::{
    event::{Event, WindowEvent},
    event_loop::{ControlFlow, EventLoop, EventLoopBuilder, EventLoopProxy},
    platform::run_return::EventLoopExtRunReturn,
    window::Window,
};

use self::saving::TurntableJob;
use crate::{
    ViewerError, ViewerOptions,
    action::{self, Action},
    controls::{self, BAR_HEIGHT},
    grid,
    lineup::Lineup,
    link::{self, Incoming, Outgoing},
    memory::WindowPlace,
    session::Session,
};

/// Maximum frame rate.
const MAX_RATE: f64 = 60.0;
/// A longer interval between frames (a hidden window) does not advance the clips.
const LONGEST_STEP_S: f32 = 0.25;

/// Opens a window and shows files until it is closed.
pub(crate) fn open(options: &ViewerOptions) -> Result<(), ViewerError> {
    let mut lineup = Lineup::read(&options.files)?;
    lineup.name(&options.names);
    if let Some(clip) = &options.clip {
        lineup.choose_named(clip)?;
    }
    let mut event_loop = event_loop()?;
    let remembered = options.memory.as_deref().and_then(WindowPlace::load);
    let window = place::window(&event_loop, options, remembered)?;
    window.set_title(&lineup.title());
    let surface = SurfaceSettings { multisamples: 0, ..SurfaceSettings::default() };
    let screen = WindowedContext::from_winit_window(&window, surface)
        .map_err(|error| ViewerError::OldGraphics(error.to_string()))?;
    if options.attached {
        let proxy = event_loop.create_proxy();
        std::thread::spawn(move || {
            let deliver = |incoming| proxy.send_event(incoming).is_ok();
            link::read_commands(std::io::stdin(), deliver);
        });
    }
    let proxy = event_loop.create_proxy();
    let mut viewer = Viewer::new(window, screen, lineup, options, proxy)?;
    viewer.remembered = remembered;
    let mut outcome = Ok(());
    event_loop.run_return(|event, _, control_flow| {
        match viewer.handle(&event) {
            Ok(next) => *control_flow = next.unwrap_or(*control_flow),
            Err(error) => {
                outcome = Err(error);
                *control_flow = ControlFlow::Exit;
            }
        }
        if viewer.session.closing {
            *control_flow = ControlFlow::Exit;
        }
    });
    if let Some(file) = &options.memory {
        viewer.place().save(file);
    }
    viewer.say(&ViewerEvent::Closed {}, outcome.is_ok());
    outcome
}

/// Creates the event loop. Without a display winit panics, which is converted into an error here.
fn event_loop() -> Result<EventLoop<Incoming>, ViewerError> {
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !named("DISPLAY") && !named("WAYLAND_DISPLAY") {
        return Err(ViewerError::NoDisplay);
    }
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let built = std::panic::catch_unwind(|| EventLoopBuilder::with_user_event().build());
    std::panic::set_hook(loud);
    built.map_err(|_| ViewerError::NoDisplay)
}

struct Viewer {
    session: Session,
    stage: Stage,
    gui: GUI,
    fine: Option<SmoothTarget>,
    input: FrameInputGenerator,
    outgoing: Option<Outgoing<std::io::Stdout>>,
    /// Whether rendering is in software: then frames are drawn fast during motion and refined at
    /// rest.
    software: bool,
    ready: bool,
    dirty: bool,
    refine: bool,
    held: Option<MouseButton>,
    /// Window placement of the previous run.
    remembered: Option<WindowPlace>,
    /// Folder for saved images.
    pictures: PathBuf,
    /// The files on display.
    files: Vec<PathBuf>,
    /// The turntable video being rendered.
    turntable: Option<TurntableJob>,
    proxy: EventLoopProxy<Incoming>,
    context: Context,
    // last, so that everything made with it is dropped first
    screen: WindowedContext,
    window: Window,
}

impl Viewer {
    fn new(
        window: Window,
        screen: WindowedContext,
        lineup: Lineup,
        options: &ViewerOptions,
        proxy: EventLoopProxy<Incoming>,
    ) -> Result<Self, ViewerError> {
        let context: Context = (*screen).clone();
        let stage = Stage::new(&context, &lineup.cast)?;
        let size = window.inner_size();
        let mut session = Session::new(lineup, size.width as f32 / size.height.max(1) as f32);
        session.set_theme(options.light);
        session.language = options.language;
        for layer in &options.layers {
            session.show(*layer, true);
        }
        let gui = GUI::new(&context);
        controls::dress(gui.context(), session.look.backdrop);
        Ok(Self {
            session,
            stage,
            gui,
            fine: None,
            input: FrameInputGenerator::from_winit_window(&window),
            outgoing: options.attached.then(|| Outgoing::new(std::io::stdout())),
            software: is_software(&context),
            ready: false,
            dirty: true,
            refine: false,
            held: None,
            remembered: None,
            pictures: options.pictures.clone().unwrap_or_default(),
            files: options.files.clone(),
            turntable: None,
            proxy,
            context,
            screen,
            window,
        })
    }

    /// Handles an event. `Some` changes when the loop wakes up next.
    fn handle(&mut self, event: &Event<'_, Incoming>) -> Result<Option<ControlFlow>, ViewerError> {
        match event {
            Event::UserEvent(incoming) => {
                self.obey(incoming)?;
                self.dirty = true;
            }
            // synthetic: the key was pressed in another window before this one got focus
            Event::WindowEvent {
                event: WindowEvent::KeyboardInput { is_synthetic: true, .. },
                ..
            } => {}
            Event::WindowEvent { event, .. } => {
                self.input.handle_winit_window_event(event);
                self.window_event(event);
                self.dirty = true;
            }
            Event::MainEventsCleared if self.wants_picture() => self.window.request_redraw(),
            Event::RedrawRequested(_) => return self.draw().map(Some),
            _ => {}
        }
        Ok(None)
    }

    const fn wants_picture(&self) -> bool {
        self.dirty || self.refine || self.session.playback.is_playing()
    }

    fn window_event(&mut self, event: &WindowEvent<'_>) {
        match event {
            WindowEvent::Resized(size) => self.screen.resize(*size),
            WindowEvent::ScaleFactorChanged { new_inner_size, .. } => {
                self.screen.resize(**new_inner_size);
            }
            WindowEvent::CloseRequested => self.session.closing = true,
            WindowEvent::DroppedFile(path) => {
                if let Err(error) = self.load(std::slice::from_ref(path), &[]) {
                    self.session.notice = Some(error.to_string());
                }
            }
            _ => {}
        }
    }

    fn obey(&mut self, incoming: &Incoming) -> Result<(), ViewerError> {
        let playback = &mut self.session.playback;
        match incoming {
            Incoming::Command(ViewerCommand::Play {}) => playback.play(),
            Incoming::Command(ViewerCommand::PlayBackwards {}) => playback.play_backwards(),
            Incoming::Command(ViewerCommand::PlayRange { range }) => playback.set_range(*range),
            Incoming::Command(ViewerCommand::Pause {}) => playback.pause(),
            Incoming::Command(ViewerCommand::Seek { frame }) => self.session.seek(*frame as usize),
            Incoming::Command(ViewerCommand::SetLoop { enabled }) => playback.set_looping(*enabled),
            Incoming::Command(ViewerCommand::SetInPlace { enabled }) => {
                self.session.set_in_place(*enabled);
            }
            Incoming::Command(ViewerCommand::FrameAll {}) => self.session.apply(Action::FrameAll),
            Incoming::Command(ViewerCommand::Speed { factor }) => playback.set_speed(*factor),
            Incoming::Command(ViewerCommand::Show { layer, enabled }) => {
                self.session.show(*layer, *enabled);
            }
            Incoming::Command(ViewerCommand::Compare { with }) => {
                self.session.compare(*with as usize);
            }
            Incoming::Command(ViewerCommand::Close {}) | Incoming::Ended => {
                self.session.closing = true;
            }
            Incoming::Command(ViewerCommand::SetTheme { light }) => {
                self.session.set_theme(*light);
                self.dress();
            }
            Incoming::Command(ViewerCommand::SetLanguage { language }) => {
                self.session.language = *language;
            }
            Incoming::Command(ViewerCommand::Load { files, names }) => {
                match self.load(files, names) {
                    Ok(()) => self.come_forward(),
                    Err(error @ ViewerError::Graphics(_)) => return Err(error),
                    Err(error) => {
                        let message = error.to_string();
                        self.session.notice = Some(message.clone());
                        self.say(&ViewerEvent::Error { message }, true);
                    }
                }
            }
            Incoming::TurntableProgress(share) => self.show_turntable_progress(*share),
            Incoming::TurntableEnded(outcome) => self.end_turntable(outcome),
            Incoming::Bad(message) => {
                self.say(&ViewerEvent::Error { message: message.clone() }, true);
            }
        }
        Ok(())
    }

    /// Shows other files; on failure the current ones stay.
    fn load<P: AsRef<Path>>(&mut self, files: &[P], names: &[String]) -> Result<(), ViewerError> {
        let mut lineup = Lineup::read(files)?;
        lineup.name(names);
        self.stage = Stage::new(&self.context, &lineup.cast)?;
        self.window.set_title(&lineup.title());
        self.session.load(lineup);
        self.files = files.iter().map(|file| file.as_ref().to_owned()).collect();
        self.ready = false;
        Ok(())
    }

    /// Brings the window to the front, because the user asked for other files.
    fn come_forward(&self) {
        self.window.set_minimized(false);
        self.window.focus_window();
    }

    fn say(&mut self, event: &ViewerEvent, wanted: bool) {
        if let Some(outgoing) = self.outgoing.as_mut().filter(|_| wanted) {
            outgoing.send(event);
        }
    }

    fn draw(&mut self) -> Result<ControlFlow, ViewerError> {
        let started = started();
        let mut frame = self.input.generate(&self.screen);
        if frame.viewport.width == 0 || frame.viewport.height == 0 {
            return Ok(ControlFlow::Wait);
        }
        let rested = !self.dirty && self.refine;
        self.dirty = false;
        let picture = picture_area(&frame);
        self.session.set_aspect(picture.width as f32 / picture.height.max(1) as f32);
        // the time spent reading files does not advance the clips
        let passed_s = if self.ready { frame.elapsed_time as f32 * 1e-3 } else { 0.0 };
        self.session.advance(passed_s.min(LONGEST_STEP_S));
        self.update_controls(&mut frame, picture);
        self.take_input(&frame);
        if std::mem::take(&mut self.session.saving) {
            self.save_picture(picture)?;
        }
        if std::mem::take(&mut self.session.turning) {
            self.save_turntable(picture);
        }
        let moving = self.session.playback.is_playing() || self.held.is_some();
        let fast = self.software && (moving || !rested);
        self.session.look.quality = if fast { Quality::Fast } else { Quality::Fine };
        self.draw_scene(&frame, picture, fast)?;
        self.refine = fast && !moving;
        let screen = frame.screen();
        let painted = screen.write(|| self.gui.render());
        painted.map_err(|error| ViewerError::Graphics(error.to_string()))?;
        self.finish()?;
        Ok(self.next_wake(started))
    }

    /// Displays the image and reports it.
    fn finish(&mut self) -> Result<(), ViewerError> {
        self.screen.swap_buffers().map_err(|error| ViewerError::Graphics(error.to_string()))?;
        let playback = &self.session.playback;
        if let Some(outgoing) = &mut self.outgoing {
            if !self.ready {
                let clips = self.session.lineup.lanes.len();
                outgoing.ready(clips, playback.frames(), playback.fps().get());
            }
            outgoing.shows(self.session.layers(), self.session.compared());
            outgoing.shown(playback.frame(), playback.is_playing(), playback.is_backwards());
        }
        self.ready = true;
        Ok(())
    }

    fn next_wake(&self, started: Instant) -> ControlFlow {
        if self.dirty || self.session.playback.is_playing() {
            ControlFlow::WaitUntil(started + Duration::from_secs_f64(1.0 / MAX_RATE))
        } else if self.refine {
            ControlFlow::WaitUntil(started + Duration::from_millis(120))
        } else {
            ControlFlow::Wait
        }
    }

    fn update_controls(&mut self, frame: &mut FrameInput, picture: Viewport) {
        let names = self.names(picture, frame.device_pixel_ratio);
        let before = self.session_theme();
        let session = &mut self.session;
        self.gui.update(
            &mut frame.events,
            frame.accumulated_time,
            frame.viewport,
            frame.device_pixel_ratio,
            |ui| controls::show(ui, session, &names),
        );
        if self.session.look.backdrop != before {
            self.dress();
        }
        self.dirty |= self.gui.context().has_requested_repaint();
    }

    const fn session_theme(&self) -> limber_render::Backdrop {
        self.session.look.backdrop
    }

    fn dress(&mut self) {
        controls::dress(self.gui.context(), self.session.look.backdrop);
        self.dirty = true;
    }

    fn take_input(&mut self, frame: &FrameInput) {
        let height = frame.window_height.max(1) as f32;
        let over_controls = self.gui.context().egui_wants_pointer_input();
        for event in &frame.events {
            match event {
                Input::KeyPress { kind, modifiers, handled: false }
                    if self.outgoing.is_some()
                        && action::of_the_app(*kind, modifiers).is_some() =>
                {
                    if let Some(key) = action::of_the_app(*kind, modifiers) {
                        self.say(&ViewerEvent::Pressed(key), true);
                    }
                }
                Input::KeyPress { kind, modifiers, handled: false } if !modifiers.ctrl => {
                    if let Some(action) = action::of_key(*kind, modifiers.shift) {
                        let before = self.session_theme();
                        self.session.apply(action);
                        if self.session_theme() != before {
                            self.dress();
                        }
                        self.dirty = true;
                    }
                }
                Input::MousePress { button, handled: false, .. } if !over_controls => {
                    self.held = Some(*button);
                }
                Input::MouseRelease { .. } | Input::MouseLeave => self.held = None,
                Input::MouseMotion { delta, modifiers, .. } => {
                    let by = Vec2::new(delta.0, delta.1) / height;
                    match self.held {
                        Some(MouseButton::Left) if !modifiers.shift => self.session.orbit(by),
                        Some(_) => self.session.pan(by),
                        None => {}
                    }
                }
                Input::MouseWheel { delta, handled: false, .. } if !over_controls => {
                    self.session.zoom((-delta.1 * 0.004).exp());
                }
                Input::PinchGesture { delta, handled: false, .. } => {
                    self.session.zoom((-delta).exp());
                }
                _ => {}
            }
        }
    }

    fn draw_scene(
        &mut self,
        frame: &FrameInput,
        picture: Viewport,
        fast: bool,
    ) -> Result<(), ViewerError> {
        let area = PictureSize::new(picture.width, picture.height);
        let (grid, cells) = (self.session.grid(), self.session.cells());
        let (look, screen) = (self.session.look, frame.screen());
        if cells.len() > 1 {
            let [red, green, blue] =
                grid::between(&look.backdrop).map(|byte| f32::from(byte) / 255.0);
            screen.clear_partially(
                ScissorBox::from(picture),
                ClearState::color(red, green, blue, 1.0),
            );
        }
        let size = grid.cell_size(area);
        if !fast && self.fine.as_ref().is_none_or(|fine| fine.size() != size) {
            self.fine = Some(SmoothTarget::new(&self.context, size)?);
        }
        for (place, cell) in cells.iter().enumerate() {
            let (x, y) = grid.corner(place, area);
            let part = Viewport {
                x: picture.x + x as i32,
                // viewports count from the lower edge
                y: picture.y + picture.height as i32 - (y + size.height) as i32,
                width: size.width,
                height: size.height,
            };
            cell.seen(&look, |scene| match &mut self.fine {
                Some(fine) if !fast => fine.show(&mut self.stage, scene, &screen, part),
                _ => self.stage.draw_in(&screen, part, scene),
            })?;
        }
        Ok(())
    }
}

/// Returns the part of the window above the control bar, in physical pixels from the bottom left.
fn picture_area(frame: &FrameInput) -> Viewport {
    let bar = (BAR_HEIGHT * frame.device_pixel_ratio).round() as u32;
    let bar = bar.min(frame.viewport.height - 1);
    Viewport {
        x: 0,
        y: bar as i32,
        width: frame.viewport.width,
        height: frame.viewport.height - bar,
    }
}

#[expect(unsafe_code, reason = "reading the renderer's name is a plain query")]
fn is_software(context: &Context) -> bool {
    // SAFETY: the context is current; RENDERER is always a valid name to query.
    let name = unsafe { context.get_parameter_string(three_d::context::RENDERER) };
    ["llvmpipe", "softpipe", "swrast", "SwiftShader"].iter().any(|known| name.contains(known))
}

#[expect(clippy::disallowed_methods, reason = "the window's loop passes the time in")]
fn started() -> Instant {
    Instant::now()
}
