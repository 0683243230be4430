extension ScenarioCommand.New {
    /// The scenario that `obscura scenario new` writes. It meets its expectations.
    static let template = """
        # A scenario describes a simulated camera system, actions and events over time, and the expected results.
        #   obscura replay FILE             plays it and checks the expectations
        #   obscura scenario check FILE     lists errors without playing it
        #   obscura scenario explain FILE   describes it in sentences
        # All keys and actions: docs/scenarios.md

        # The version of the file format.
        scenario: 1
        # A one-line description of the tested behavior.
        name: A phone call interrupts a recording

        # The simulated devices. 'obscura profile --list' lists the built-in profiles, and
        # 'obscura devices --profile phone' lists the IDs of the devices.
        devices:
          profile: phone
          scene: street

        # The session under test. A small preset is fast.
        session:
          preset: 640x480
          outputs: [movie, photo]

        # The actions and events, in the order of their times.
        timeline:
          - {at: 0 s, do: start}
          - {at: 0.2 s, do: record, to: call.mov}
          # The call: the microphone is in use by another client, so the session is interrupted.
          - {at: 1 s, do: interrupt, reason: audio-in-use}
          - {at: 1.5 s, do: end-interruption, reason: audio-in-use}
          - {at: 1.8 s, do: photo, to: after.jpg}
        end: 2.5 s

        # The expected results. An event is the first words of a line of the log; --log FILE writes the log.
        expect:
          # These events in this order; other events may occur between them.
          - events:
              - session did start running
              - recording did start call.mov
              - session was interrupted audio-in-use
              - session interruption ended
          # The recording ends with the interruption, with Apple's error in kebab case.
          - {error: session-was-interrupted, of: call.mov, at: 1 s}
          # The session resumes automatically.
          - {session: interrupted, from: 1 s, until: 1.5 s}
          - {session: running, from: 1.5 s, until: 2.5 s}
          # The movie of the time before the call is playable. A list of two numbers is the minimum and the maximum.
          - {movie: call.mov, duration: [0.7 s, 0.85 s], playable: true}
          # The phone is held upright, so the photo is taller than wide.
          - {photo: after.jpg, size: 480x640}
          - {never: misuse}

        """
}
