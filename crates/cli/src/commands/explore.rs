//! `guidepost explore MODEL`

use crate::args::{ExploreArgs, MessageFormat};
use crate::exit::Exit;
use crate::terminal::{print, print_error};
use crate::{files, input, limits};
use guidepost::{Settings, Simulator};
use guidepost_explorer::{Explorer, Server};
use std::process::{Command, Stdio};

pub(crate) fn run(args: &ExploreArgs, messages: MessageFormat) -> Result<Exit, Exit> {
    let limits = limits::limits(Some(args.time_limit), args.memory_limit, None)?;
    let session = input::showable(&args.model, args.names, messages)?;
    let simulator = Simulator::new(session).map_err(|error| input::refuse(&error, messages))?;
    let settings = Settings { limits, seed: args.seed, ..guidepost::default_settings() };
    let explorer = Explorer::new(simulator, args.model.display().to_string(), settings);
    if let Some(path) = &args.trace_file {
        let text = files::read(path)?;
        explorer.open_runs(&text).map_err(|error| {
            print_error(format!("`{}`: {error}", path.display()));
            Exit::BadInput
        })?;
    }
    let server = Server::bind(explorer, args.port).map_err(|error| {
        let port = if args.port == 0 { "any port".to_owned() } else { format!("port {}", args.port) };
        print_error(format!("cannot listen on {port} of 127.0.0.1: {error}"));
        Exit::BadInput
    })?;
    // To end is what Ctrl-C is for here; nothing is left undone.
    let _ = ctrlc::set_handler(|| std::process::exit(Exit::Satisfied as i32));
    let address = server.address();
    print(&format!("The explorer is at {address}\nCtrl-C ends it.\n"));
    if args.open && !open(&address) {
        anstream::eprintln!("note: there is no program that opens the browser; open the address yourself");
    }
    server.serve();
    Ok(Exit::Satisfied)
}

/// Opens an address with the program that the system has for that.
fn open(address: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "windows") {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
